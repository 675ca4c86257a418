import { expect, it } from '@jest/globals';
import { travelBytes } from '#lib/domain/answer-size.ts';
import { call } from '#test/support/call.ts';
import { bulkKinds } from '#test/support/manage-kinds.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import type { Document } from '#test/support/world.ts';

const kitchen = await openWorkspace('records');
const send = (changes: readonly object[], name = 'all') =>
  call('POST /api/v1/manage/changes', { key: kitchen.secretOf(name), body: { changes } });
const statuses = ({ json }: { json: { results: { status: number }[] } }) => json.results.map(({ status }) => status);

it('POST /manage/changes carries out changes of every kind in order, each separately', async () => {
  for (const { kind, fresh, stored, patch } of bulkKinds) {
    const id = `new.${kind}`;
    const answer = await send([
      { method: 'POST', kind, id, record: fresh(`bulk-${kind}`) },
      { method: 'POST', kind, id, record: fresh(`bulk2-${kind}`) },
      { method: 'PATCH', kind, id: stored, record: patch },
      { method: 'PATCH', kind, id: stored, ifMatch: '"old"', record: patch },
      { method: 'PUT', kind, id, record: fresh(`bulk-${kind}`) },
      { method: 'DELETE', kind, id },
      { method: 'DELETE', kind, id },
    ]);
    expect([kind, answer.status, statuses(answer)]).toEqual([kind, 200, [201, 409, 200, 412, 200, 204, 404]]);
    expect(answer.json.results[0]).toEqual({ status: 201, id, etag: expect.stringMatching(/^"/) });
    expect(answer.json.results[1].error).toMatchObject({ code: 'already_exists', message: expect.any(String) });
    const { headers } = await kitchen.manage(`GET ${kind}/${stored}`);
    expect(answer.json.results[2].etag).toBe(headers['etag']);
  }
});

it('POST /manage/changes lets a change use the result of an earlier one', async () => {
  const product = { slug: 'in-new', name: { en: 'x' }, categoryId: 'cat_bulk' };
  const answer = await send([
    { method: 'PUT', kind: 'menu-products', id: 'prod_early', record: product },
    { method: 'PUT', kind: 'menu-categories', id: 'cat_bulk', record: { slug: 'bulk', name: { en: 'x' } } },
    { method: 'PUT', kind: 'menu-products', id: 'prod_late', record: product },
    { method: 'DELETE', kind: 'menu-categories', id: 'cat_bulk' },
  ]);
  expect(statuses(answer)).toEqual([400, 201, 201, 409]);
  expect(answer.json.results[0].error.errors).toMatchObject([{ path: 'categoryId', code: 'not_found' }]);
  expect(answer.json.results[3].error).toMatchObject({ code: 'in_use', errors: [{ path: 'menu-products/prod_late' }] });
});

it('POST /manage/changes gives a record the name that an earlier change has freed', async () => {
  const answer = await send([
    { method: 'PATCH', kind: 'menu-products', id: 'prod_1', record: { slug: 'left' } },
    { method: 'PATCH', kind: 'menu-products', id: 'prod_2', record: { slug: 'dish-1' } },
  ]);
  expect(statuses(answer)).toEqual([200, 200]);
});

it("POST /manage/changes refuses a record's name before the change that frees it", async () => {
  const category = (id: string, slug: string) => ({
    method: 'PUT',
    kind: 'menu-categories',
    id,
    record: { slug, name: { en: id } },
  });
  const answer = await send([
    category('first', 'one'),
    category('second', 'one'),
    category('first', 'two'),
    category('third', 'two'),
    { method: 'DELETE', kind: 'menu-categories', id: 'first' },
    category('third', 'two'),
    category('second', 'mains'),
    { method: 'PATCH', kind: 'menu-categories', id: 'cat_1', record: { slug: 'mains-1' } },
    category('second', 'mains'),
  ]);
  expect(statuses(answer)).toEqual([201, 400, 200, 400, 204, 201, 400, 200, 201]);
});

it('POST /manage/changes has the first issues of each change, so that its answer can be sent', async () => {
  const many = Array.from({ length: 100 }, (_, index) => index);
  const fields = many.map((index) => ({ key: `the_field_${index}`, name: { en: 'Field' }, type: 'text' }));
  const model = { method: 'PUT', kind: 'cms-models', id: 'wide', record: { name: { en: 'Wide' }, fields } };
  expect(statuses(await send([model]))).toEqual([201]);
  const values = Object.fromEntries(many.map((index) => [`theField${index}`, 'x']));
  const answer = await send(
    many.map((id) => ({ method: 'PUT', kind: 'cms-entries', id: `wide/entry_${id}`, record: { values } })),
  );
  expect(travelBytes(answer.text)).toBeLessThan(5.5 * 1_048_576);
  for (const { status, error } of answer.json.results) {
    expect(status).toBe(400);
    expect(error.errors[0]).toMatchObject({ path: 'values.theField0', code: 'unknown_field' });
  }
});

it('POST /manage/changes requires the permission of each kind', async () => {
  const changes = bulkKinds.map(({ kind, stored, patch }) => ({ method: 'PATCH', kind, id: stored, record: patch }));
  const answer = await send(changes, 'menu:category:manage');
  expect(statuses(answer)).toEqual([200, 403, 403, 403, 403, 403]);
  expect(answer.json.results[2].error).toEqual({
    code: 'permission_denied',
    message: 'This API key lacks the permission forms:form:manage.',
  });
});

it('POST /manage/changes carries out a hundred changes within the time of one request', async () => {
  const changes = Array.from({ length: 100 }, (_, index) => ({
    method: 'PUT',
    kind: 'customers',
    id: `many.${index}`,
    record: { name: `Many ${index}` },
  }));
  expect(new Set(statuses(await send(changes)))).toEqual(new Set([201]));
});

it('POST /manage/changes returns 405 for each change that its kind does not support, and continues', async () => {
  const stored = { id: 'resp_1', record: {} };
  const answer = await send([
    { method: 'PATCH', kind: 'audit-events', ...stored },
    { method: 'DELETE', kind: 'audit-events', id: 'x' },
    { method: 'POST', kind: 'audit-events', record: { id: 'x' } },
    { method: 'PATCH', kind: 'form-responses', ...stored },
    { method: 'POST', kind: 'notifications', record: {} },
    { method: 'PUT', kind: 'attachments', ...stored },
    { method: 'PATCH', kind: 'agents', id: 'agent_1', record: { name: 'Reached' } },
  ]);
  expect([answer.status, statuses(answer)]).toEqual([200, [405, 405, 405, 405, 405, 405, 200]]);
  expect(answer.json.results[0]).toMatchObject({ id: 'resp_1', error: { code: 'method_not_allowed' } });
});

it('POST /manage/changes accepts the id of a new record beside it or in it, but not two ids', async () => {
  const answer = await send([
    { method: 'POST', kind: 'agents', id: 'beside', record: { name: 'x' } },
    { method: 'POST', kind: 'agents', record: { id: 'inside', name: 'x' } },
    { method: 'POST', kind: 'agents', id: 'one', record: { id: 'two', name: 'x' } },
    { method: 'POST', kind: 'agents', id: '', record: { name: 'x' } },
    { method: 'POST', kind: 'agents', record: { id: '', name: 'x' } },
  ]);
  expect(statuses(answer)).toEqual([201, 201, 400, 400, 400]);
  const codes = answer.json.results
    .slice(2)
    .map(({ error }: Document) => error.errors.map((issue: Document) => issue.code));
  expect(codes).toEqual([['not_allowed'], ['format'], ['format']]);
});

const patch = { method: 'PATCH', kind: 'agents', id: 'agent_1', record: {} };

it.each<[string, unknown, string]>([
  ['a 101st change', { changes: Array(101).fill(patch) }, 'changes'],
  ['an unknown method', { changes: [patch, { ...patch, method: 'GET' }] }, 'changes.1.method'],
  ['a kind with separate calls', { changes: [{ ...patch, kind: 'api-keys' }] }, 'changes.0.kind'],
  ['an unknown kind', { changes: [{ ...patch, kind: 'nothing' }] }, 'changes.0.kind'],
  ['members', { changes: [{ ...patch, kind: 'members' }] }, 'changes.0.kind'],
  ['the workspace', { changes: [{ ...patch, kind: 'workspace' }] }, 'changes.0.kind'],
  ['no id', { changes: [{ ...patch, id: undefined }] }, 'changes.0.id'],
  ['no record', { changes: [{ ...patch, record: undefined }] }, 'changes.0.record'],
  ['a record for a deletion', { changes: [{ ...patch, method: 'DELETE' }] }, 'changes.0.record'],
  ['an unknown member', { changes: [{ ...patch, more: 1 }] }, 'changes.0.more'],
  ['no changes', {}, 'changes'],
])('POST /manage/changes refuses the whole request for %s', async (_, body, path) => {
  const { status, json } = await call('POST /api/v1/manage/changes', { key: kitchen.secretOf('all'), body });
  expect([status, json.errors.map((issue: { path: string }) => issue.path)]).toEqual([400, [path]]);
});
