import { beforeAll, describe, expect, it } from '@jest/globals';
import { type TableClient, tableClient } from '#lib/table/dynamodb/client.ts';
import { keys } from '#lib/table/keys.ts';
import { Table } from '#lib/table/table.ts';
import { readCmsSchemaHead } from '#lib/table/workspaces.ts';
import { call } from '#test/support/call.ts';
import { exported, exportText } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { allItems, comparable, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { isSchemaUpdate } from '#test/support/table-call.ts';
import { type Document, importFile, load, testTable } from '#test/support/world.ts';

beforeAll(openOwnTable);

const title = (text: string) => ({ title: { en: text } });

/** A workspace whose entries all have this name. @param from the number of the first entry */
function named(workspaceId: string, name: string, from = 0): Document {
  const { version, workspace, apiKeys, cms } = everyKind(workspaceId);
  const entries = Array.from({ length: 40 }, (_, index) => index + from).map((number) => ({
    id: `dish_${number}`,
    modelId: 'dishes',
    createdAt: new Date(Date.UTC(2026, 0, 1, (number * 7) % 61)).toISOString(),
    values: title(name),
  }));
  const own = { id: `dish_of_${name}`, modelId: 'dishes', values: title(name) };
  return { version, workspace, apiKeys: apiKeys.slice(0, 1), cms: { ...cms, entries: [...entries, own] } };
}

/**
 * A table, and a promise for the end of its third attempt to hold a lease.
 * @param before is awaited before every call
 */
function watchingRenewals(before: (operation: string, input: Document) => unknown = () => undefined) {
  const { promise: renewed, resolve } = Promise.withResolvers<void>();
  const client = tableClient('import');
  let holds = 0;
  const call: TableClient['call'] = async (operation, input: Document, signal) => {
    await before(operation, input);
    try {
      return await client.call(operation, input as never, signal);
    } finally {
      const isHold = operation === 'PutItem' && input.Item.sk === 'IMPORT';
      // The first takes the lease, the second names its kinds.
      if (isHold && ++holds === 3) setImmediate(resolve);
    }
  };
  return { table: new Table({ client: { ...client, call }, name: testTable().name }), renewed };
}

describe('two concurrent imports of one workspace', () => {
  it('run one after the other, and the second reports that it waits', async () => {
    const workspaceId = newWorkspaceId();
    const waited: string[] = [];
    const results = await Promise.all(
      ['a', 'b'].map((name) => importFile(named(workspaceId, name), { onWait: () => waited.push(name) })),
    );
    expect(results.map(({ failures }) => failures)).toEqual([[], []]);
    expect(waited).toHaveLength(1);
    const { cms } = await exported(workspaceId);
    const [last] = waited;
    const names = cms.entries.filter(({ id }: Document) => /^dish_\d/.test(id));
    expect(new Set(names.map(({ values }: Document) => values.title.en))).toEqual(new Set([last]));
    expect(cms.entries).toHaveLength(42);
    const { json } = await call('GET /api/public/cms/dishes/list?limit=100&fields=id', {
      key: siteSecret(workspaceId),
    });
    expect(json).toHaveLength(42);
  });

  it('two concurrent imports of the same document leave the result of one import', async () => {
    const began = new Date().toISOString();
    const document = everyKind();
    await restoreItems([]);
    await load(document);
    const expected = comparable(await allItems(), began);
    await restoreItems([]);
    const results = await Promise.all([1, 2, 3].map(() => load(document)));
    expect(results.filter(({ changed }) => changed === 0)).toHaveLength(2);
    expect(comparable(await allItems(), began)).toEqual(expected);
  });
});

describe('the lease of an import', () => {
  it('is released by an import that fails', async () => {
    const document = everyKind();
    document.forms[0].nonsense = true;
    expect((await importFile(document)).failures).toHaveLength(1);
    expect(await testTable().get(keys.importLease(document.workspace.id))).toBeUndefined();
    const watch = () => {
      throw new Error('The disk is gone.');
    };
    await expect(importFile(everyKind(document.workspace.id), { watch })).rejects.toThrow('The disk is gone.');
    expect(await testTable().get(keys.importLease(document.workspace.id))).toBeUndefined();
  });

  it('ends an import that has lost it to another, before its next write', async () => {
    const early = everyKind();
    const late = everyKind();
    const steal = ({ workspace }: Document) =>
      testTable().put({ ...keys.importLease(workspace.id), owner: 'another', until: Date.now() + 60_000 });
    const first = watchingRenewals();
    async function* watch<Record>(records: AsyncIterable<Record>) {
      await steal(early);
      await first.renewed;
      yield* records;
    }
    // The databases are published after the last record is read.
    const second = watchingRenewals(async (operation, input) => {
      if (!isSchemaUpdate(operation, input)) return;
      await steal(late);
      await second.renewed;
    });
    const attempts = [importFile(early, { watch }, first.table), importFile(late, {}, second.table)];
    const ends = await Promise.allSettled(attempts);
    const lost = expect.objectContaining({ message: 'Another import of this workspace has taken over.' });
    expect(ends).toEqual(ends.map(() => ({ status: 'rejected', reason: lost })));
    for (const { workspace } of [early, late]) {
      expect((await testTable().get(keys.importLease(workspace.id)))?.['owner']).toBe('another');
      expect(await readCmsSchemaHead(testTable(), { workspaceId: workspace.id })).toBeUndefined();
      expect(await testTable().get(keys.workspace(workspace.id))).toBeUndefined();
    }
    expect((await allItems()).filter(({ pk }) => pk.startsWith(`W#${early.workspace.id}#`))).toEqual([]);
  });
});

describe('a reader beside imports', () => {
  it('counts and orders the entries of one import, never a mixture', async () => {
    const workspaceId = newWorkspaceId();
    const key = siteSecret(workspaceId);
    const documents = [named(workspaceId, 'a'), named(workspaceId, 'b', 20)];
    for (const document of documents) document.cms.entries.pop();
    const list = async () => {
      const { status, json, headers } = await call('GET /api/public/cms/dishes/list?limit=100&fields=id', { key });
      return JSON.stringify([
        status,
        headers['x-cms-total'],
        status === 200 ? json.map(({ id }: Document) => id) : json,
      ]);
    };
    const orders = new Set<string>();
    for (const document of documents) {
      await load(document, { prune: true });
      orders.add(await list());
    }
    expect(orders.size).toBe(2);
    const seen = new Set<string>();
    let done = false;
    const imports = (async () => {
      for (let round = 0; round < 6; round++) await load(documents[round % 2], { prune: true });
      done = true;
    })();
    while (!done) seen.add(await list());
    await imports;
    expect([...seen].filter((answer) => !orders.has(answer))).toEqual([]);
  });

  it('exports one state of the entries, or reports that it could not', async () => {
    const workspaceId = newWorkspaceId();
    const documents = [named(workspaceId, 'a'), named(workspaceId, 'b', 20)];
    for (const document of documents) document.cms.entries.pop();
    const orderOf = async () =>
      JSON.parse(await exportText(workspaceId))
        .cms.entries.map(({ id }: Document) => id)
        .join();
    const orders = new Set<string>();
    for (const document of documents) {
      await load(document, { prune: true });
      orders.add(await orderOf());
    }
    const imports = Promise.all(documents.map((document) => load(document, { prune: true })));
    for (let round = 0; round < 10; round++) {
      const order = await orderOf().catch((error: Error) => error.message);
      if (!orders.has(order)) expect(order).toMatch(/^An import has changed ws_\w+ while it was exported/);
    }
    await imports;
  });
});
