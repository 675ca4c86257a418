import { afterEach, describe, expect, it } from '@jest/globals';
import type { Item } from '#lib/table/schema.ts';
import { call } from '#test/support/call.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const { manage, workspaceId, secretOf } = await openWorkspace('records', ({ forms }) => {
  for (const id of ['kept', 'late', 'again', 'lost', 'cut'])
    forms.push({ id: `form_${id}`, slug: id, title: { en: id }, fields: [] });
});
const proxy = await startTableProxy();
afterEach(() => proxy.heal());

const slotsOf = (kind: string, id: string): Promise<Item[]> =>
  Array.fromAsync(testTable().query({ pk: `W#${workspaceId}#references#${kind}#${id}` }));
const marksOf = async (kind: string, id: string) =>
  (await slotsOf(kind, id)).filter(({ removed }) => removed === true).length;
const submit = (slug: string) =>
  call(`POST /api/public/forms/${slug}?apiKey=${secretOf('forms:response:create')}`, { body: {} });

const throttled = { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 } as const;
const conflict = {
  ...throttled,
  type: 'TransactionCanceledException',
  more: { CancellationReasons: [{ Code: 'TransactionConflict' }] },
};

describe('a failed removal leaves nothing behind', () => {
  it('a failed removal leaves nothing behind when the search for referrers fails', async () => {
    proxy.plan('Query', throttled, 1_000, 'formResponse');
    expect((await manage('DELETE forms/form_kept')).status).toBe(503);
    expect(await slotsOf('form', 'form_kept')).toEqual([]);
    proxy.heal();
    expect((await submit('kept')).status).toBe(200);
  });

  it('a failed removal leaves nothing behind when its transaction is never carried out', async () => {
    proxy.plan('TransactWriteItems', { kind: 'reset before' }, 1_000);
    expect((await manage('DELETE forms/form_cut')).status).toBe(503);
    proxy.heal();
    expect(await slotsOf('form', 'form_cut')).toEqual([]);
    expect((await submit('cut')).status).toBe(200);
  });

  it('a failed removal leaves nothing behind when the record is in use', async () => {
    expect((await manage('DELETE menu-categories/cat_1')).json.code).toBe('in_use');
    expect(await marksOf('menuCategory', 'cat_1')).toBe(0);
    const product = { slug: 'new', name: { en: 'New' }, categoryId: 'cat_1' };
    expect((await manage('POST menu-products', product)).status).toBe(201);
  });
});

describe('a removal', () => {
  it('finds a reference that is stored after its search', async () => {
    proxy.plan('Query', { kind: 'late', meanwhile: () => submit('late') }, 1, 'formResponse');
    const { status, json } = await manage('DELETE forms/form_late');
    expect([status, json.code]).toEqual([409, 'in_use']);
    expect(await marksOf('form', 'form_late')).toBe(0);
    expect((await submit('late')).status).toBe(200);
  });

  it('finds a product that is stored after its search', async () => {
    await manage('GET menu-products');
    const product = { slug: 'late', name: { en: 'Late' }, categoryId: 'cat_2' };
    const store = async () => expect((await manage('POST menu-products', product)).status).toBe(201);
    // The slots are read after the product is stored, and the rows of the menu before.
    proxy.plan('Query', { kind: 'delay', milliseconds: 1_200 }, 1, '#references#menuCategory#cat_2');
    proxy.plan('BatchGetItem', { kind: 'late', meanwhile: store }, 1, 'cat_2');
    expect((await manage('DELETE menu-categories/cat_2')).json.code).toBe('in_use');
  });

  it('stops a writer that has read the record before it', async () => {
    const remove = async () => expect((await manage('DELETE forms/form_again')).status).toBe(204);
    expect((await submit('again')).status).toBe(200);
    const { json } = await manage('GET form-responses');
    const made = json.data.find(({ formId }: { readonly formId: string }) => formId === 'form_again');
    expect((await manage(`DELETE form-responses/${made.id}`)).status).toBe(204);
    proxy.plan('BatchGetItem', { kind: 'late', meanwhile: remove }, 1, 'form_again');
    expect((await submit('again')).status).toBe(404);
    expect(await marksOf('form', 'form_again')).toBe(10);
  });

  it('is carried out one time in spite of a lost answer and a conflict', async () => {
    proxy.plan('TransactWriteItems', conflict, 2);
    proxy.plan('TransactWriteItems', { kind: 'reset after' }, 1);
    expect((await manage('DELETE forms/form_lost')).status).toBe(204);
    expect(await marksOf('form', 'form_lost')).toBe(10);
  });

  it('is complete even if its answer never arrives', async () => {
    proxy.plan('TransactWriteItems', { kind: 'cut reply', end: 'stalled' }, 1_000);
    expect((await manage('DELETE channels/ch_2')).status).toBe(204);
    proxy.heal();
    expect([(await manage('GET channels/ch_2')).status, await marksOf('channel', 'ch_2')]).toEqual([404, 10]);
  });
});
