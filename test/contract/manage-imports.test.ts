import { expect, it } from '@jest/globals';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import type { ImportOptions } from '#lib/workspace/import-document.ts';
import { exported } from '#test/support/document-text.ts';
import { bulkKinds } from '#test/support/manage-kinds.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, importFile, testTable } from '#test/support/world.ts';

const { manage, workspaceId } = await openWorkspace('records');

it('management returns 503 with Retry-After for writes during an import, and still serves reads', async () => {
  const before = await Promise.all(bulkKinds.map(({ kind, stored }) => manage(`GET ${kind}/${stored}`)));
  const renewedAt = new Date().toISOString();
  await testTable().put({ ...keys.importLease(workspaceId), owner: 'import', renewal: 'x', renewedAt });
  const writes = bulkKinds.flatMap(({ kind, stored, fresh, patch }) => [
    ['POST', kind, fresh(`held-${kind}`)],
    ['PUT', `${kind}/held`, fresh(`held2-${kind}`)],
    ['PATCH', `${kind}/${stored}`, patch],
    ['DELETE', `${kind}/${stored}`, undefined],
  ]) as [string, string, object | undefined][];
  writes.push(
    ['PATCH', 'workspace', { name: 'Held' }],
    ['PUT', 'cms-models/held', { name: { en: 'Held' }, fields: [] }],
  );
  for (const [method, path, body] of writes) {
    const { status, json, headers } = await manage(`${method} ${path}`, body);
    expect([method, path, status, json.code]).toEqual([method, path, 503, 'unavailable']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  const changes = bulkKinds.map(({ kind, stored, patch }) => ({ method: 'PATCH', kind, id: stored, record: patch }));
  const { status, json } = await manage('POST changes', { changes });
  expect(status).toBe(200);
  for (const result of json.results) {
    expect([result.status, result.error.code]).toEqual([503, 'unavailable']);
  }
  const during = await Promise.all(bulkKinds.map(({ kind, stored }) => manage(`GET ${kind}/${stored}`)));
  expect(during.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  await removeAll(testTable(), [keys.importLease(workspaceId)]);
  const after = await manage('POST changes', { changes });
  expect(after.json.results.map((result: Document) => result.status)).toEqual(changes.map(() => 200));
});

it('management refuses only writes of the kinds that an import holds, and of kinds that belong to them', async () => {
  const { workspace } = (await exported(workspaceId)) as Document;
  const customers = [{ id: 'cus_held', name: 'Held' }];
  const statuses = new Map<string, number>();
  const watch: ImportOptions['watch'] = async function* (records) {
    for (const kind of ['workspace', ...bulkKinds.map((tested) => tested.kind)]) {
      const path = kind === 'workspace' ? kind : `${kind}/${bulkKinds.find((t) => t.kind === kind)?.stored}`;
      statuses.set(kind, (await manage(`PATCH ${path}`, {})).status);
    }
    statuses.set('members', (await manage('PATCH members/mem_few', { name: 'Fewer' })).status);
    statuses.set('api-keys', (await manage('PATCH api-keys/key_none', { name: 'No' })).status);
    statuses.set('cms-models', (await manage('PUT cms-models/held', { name: { en: 'Held' }, fields: [] })).status);
    yield* records;
  };
  const document = { version: 1, workspace, messaging: { customers } };
  const { failures } = await importFile(document, { watch });
  expect(failures).toEqual([]);
  const refused = [...statuses].filter(([, status]) => status === 503).map(([kind]) => kind);
  expect(refused.sort()).toEqual(['cms-models', 'customers', 'workspace']);
  expect([...statuses].filter(([, status]) => status >= 300 && status !== 503)).toEqual([]);
  expect((await manage('GET customers/cus_held')).status).toBe(200);
});
