import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { importFile } from '#test/support/world.ts';

const kitchen = await openWorkspace('records', (document) => {
  document.members[0].permissions = ['messaging:conversation:engage', 'messaging:conversation:read'];
});
const { manage, secretOf } = kitchen;

interface Pair {
  /** Creates the record with this id, which is then removed. */
  readonly parent: (id: string) => Promise<{ readonly status: number }>;
  /** The part of a document that has it. */
  readonly inDocument: (id: string) => object;
  /** Stores a record that refers to it. */
  readonly child: (id: string, number: number) => Promise<{ readonly status: number }>;
  readonly kind: string;
  /** The refusal of the child when the parent is absent. */
  readonly refused: number;
  readonly made: number;
}

const open = (body: object) => call('POST /api/v1/connect/conversations', { key: secretOf('member'), body });

const pairs: Readonly<Record<string, Pair>> = {
  'a category and a product': {
    kind: 'menu-categories',
    parent: (id) => manage(`PUT menu-categories/${id}`, { slug: id, name: { en: id } }),
    inDocument: (id) => ({ menu: { categories: [{ id, slug: id, name: { en: id } }], products: [] } }),
    child: (id, number) =>
      manage(`PUT menu-products/of-${id}-${number}`, {
        slug: `of-${id}-${number}`,
        name: { en: `of-${id}-${number}` },
        categoryId: id,
      }),
    made: 201,
    refused: 400,
  },
  'a database and an entry': {
    kind: 'cms-models',
    parent: (id) => manage(`PUT cms-models/${id}`, { name: { en: id }, fields: [] }),
    inDocument: (id) => ({ cms: { models: [{ id, name: { en: id }, fields: [] }], entries: [] } }),
    child: (id, number) => manage(`PUT cms-entries/${id}/entry-${number}`, { values: {} }),
    made: 201,
    refused: 404,
  },
  'a form and a response': {
    kind: 'forms',
    parent: (id) => manage(`PUT forms/${id}`, { slug: id, title: { en: id } }),
    inDocument: (id) => ({ forms: [{ id, slug: id, title: { en: id } }] }),
    child: (id) => call(`POST /api/public/forms/${id}?apiKey=${secretOf('forms:response:create')}`, { body: {} }),
    made: 200,
    refused: 404,
  },
  'a channel and a conversation': {
    kind: 'channels',
    parent: (id) => manage(`PUT channels/${id}`, { type: 'website', identifier: `${id}.example.com` }),
    inDocument: (id) => ({ messaging: { channels: [{ id, type: 'website', identifier: `${id}.example.com` }] } }),
    child: (id) => open({ channelId: id, customerId: 'cus_1' }),
    made: 201,
    refused: 400,
  },
  'a customer and a conversation': {
    kind: 'customers',
    parent: (id) => manage(`PUT customers/${id}`, { name: id }),
    inDocument: (id) => ({ messaging: { customers: [{ id, name: id }] } }),
    child: (id) => open({ channelId: 'ch_1', customerId: id }),
    made: 201,
    refused: 400,
  },
};

describe.each(Object.entries(pairs))('%s in parallel', (_, { kind, parent, inDocument, child, refused, made }) => {
  it('leave both or neither, without a 5xx', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const id = `${kind}-${round}`;
      expect((await parent(id)).status).toBe(201);
      const [removed, ...children] = await Promise.all([
        manage(`DELETE ${kind}/${id}`),
        ...[0, 1].map(async (number) => {
          await new Promise((resolve) => setTimeout(resolve, round * 3));
          return child(id, number);
        }),
      ]);
      const isStored = children.some(({ status }) => status === made);
      const expected = removed.status === 204 ? [refused] : [made, 200];
      expect([kind, round, removed.status]).toEqual([kind, round, isStored ? 409 : 204]);
      for (const { status } of children) expect([round, expected]).toEqual([round, expect.arrayContaining([status])]);
      seen.add(String(removed.status));
    }
    expect(seen.size).toBeGreaterThan(0);
  });

  it('the parent accepts further references immediately after a refused removal, and after its recreation', async () => {
    const id = `${kind}-again`;
    await parent(id);
    expect((await child(id, 0)).status).toBe(made);
    expect((await manage(`DELETE ${kind}/${id}`)).status).toBe(409);
    expect([made, 200]).toContain((await child(id, 1)).status);
    const other = `${kind}-anew`;
    await parent(other);
    expect((await manage(`DELETE ${kind}/${other}`)).status).toBe(204);
    expect((await child(other, 0)).status).toBe(refused);
    expect((await parent(other)).status).toBe(201);
    expect((await child(other, 0)).status).toBe(made);
  });

  it('the parent accepts references when an import has brought it back', async () => {
    const id = `${kind}-imported`;
    await parent(id);
    expect((await manage(`DELETE ${kind}/${id}`)).status).toBe(204);
    const { version, workspace } = kitchen.document;
    expect((await importFile({ version, workspace, ...inDocument(id) })).failures).toEqual([]);
    expect((await child(id, 0)).status).toBe(made);
  });

  it('is removed by one of several callers, and absent for the others', async () => {
    const id = `${kind}-twice`;
    await parent(id);
    const answers = await Promise.all([1, 2, 3].map(() => manage(`DELETE ${kind}/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  });
});
