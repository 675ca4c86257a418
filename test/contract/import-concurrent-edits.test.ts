import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { operator } from '#lib/domain/access/audit-event.ts';
import { type TableClient, tableClient } from '#lib/table/dynamodb/client.ts';
import { Customers } from '#lib/table/messaging/customers.ts';
import { Table } from '#lib/table/table.ts';
import { ApiKeys } from '#lib/workspace/command/api-keys.ts';
import { runImport } from '#lib/workspace/command/run-import.ts';
import type { Terminal } from '#lib/workspace/command/terminal.ts';
import type { ImportOptions } from '#lib/workspace/import-document.ts';
import { call } from '#test/support/call.ts';
import { exported, storedRecords } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { type Document, importFile, storeWorkspace, testTable } from '#test/support/world.ts';

let workspaceId: string;
let document: Document;

beforeEach(async () => {
  workspaceId = newWorkspaceId();
  document = everyKind(workspaceId);
  document.apiKeys[0].permissions = [
    'cms:entry:read',
    'cms:entry:update',
    'menu:product:read',
    'forms:response:create',
  ];
  await storeWorkspace(document);
});

/** Options that run some work after the document was checked, before the first write. */
const after = (work: () => Promise<unknown>): Pick<ImportOptions, 'watch'> => ({
  async *watch(records) {
    await work();
    yield* records;
  },
});

/** A table that runs some work one time, between the import's reads of entries and its first write of one. */
function tableWith(work: () => Promise<unknown>): Table {
  const client = tableClient('import');
  let isDone = false;
  const calls: TableClient['call'] = async (operation, input: Document, signal) => {
    const isEntry = operation === 'PutItem' && input.Item.sk.endsWith('#dish_2');
    if (isEntry && !isDone) {
      isDone = true;
      await work();
    }
    return client.call(operation, input as never, signal);
  };
  return new Table({ client: { ...client, call: calls }, name: testTable().name });
}

const site = async (request: string, body?: object) => {
  const answer = await call(request, { key: siteSecret(workspaceId), ...(body && { body }) });
  expect(answer.status).toBe(200);
  return answer.json;
};
const edit = (values: object) => site('PATCH /api/public/cms/dishes/dish_2', { values });
const entry = async (): Promise<Document> => {
  const { title, amount, products } = await site('GET /api/public/cms/dishes/dish_2?maxDepth=0');
  return { title, amount, products: products.map(({ id }: Document) => id) };
};
const filtered = async (amount: number): Promise<string[]> =>
  (await site(`GET /api/public/cms/dishes/list?filter[amount]=${amount}&fields=id`)).map(({ id }: Document) => id);
/** The products that show the entry in the menu. */
const productsWithEntry = async (): Promise<string[]> =>
  (await site(`GET /api/public/menu/products?limit=100&apiKey=${siteSecret(workspaceId)}`)).data
    .filter(({ cmsData }: Document) => cmsData.dishes?.some(({ id }: Document) => id === 'dish_2'))
    .map(({ id }: Document) => id);

const recordOf = async (kind: 'apiKey' | 'customer', recordId: string): Promise<Document> =>
  (await storedRecords(workspaceId, kind)).find(({ id }) => id === recordId);

const ofDocument = { title: { en: 'Of the document' }, amount: 1, products: ['prod_1'] };
const ofEdit = { amount: 2, products: ['prod_3'] };

describe.each([
  ['between the check and the writes', undefined],
  ['between the read of the entry and its write', tableWith],
])('an entry that the service changes %s', (_, between) => {
  const importAround = (options: ImportOptions) => {
    document.cms.entries[1].values = ofDocument;
    const work = () => edit(ofEdit);
    return between
      ? importFile(document, options, between(work))
      : importFile(document, { ...options, ...after(work) });
  };

  it('is kept and reported, and lists, filters and menu agree with it', async () => {
    const { concurrentEdits, changed, edits } = await importAround({ concurrentEdits: 'keep' });
    expect(concurrentEdits).toMatchObject([{ kind: 'cmsEntry', modelId: 'dishes', id: 'dish_2', isMissing: false }]);
    expect([changed, edits]).toEqual([0, []]);
    expect(await entry()).toEqual({ title: { en: 'Dish 2' }, ...ofEdit });
    expect([await filtered(1), await filtered(2), await productsWithEntry()]).toEqual([[], ['dish_2'], ['prod_3']]);
    expect((await importFile(document, { dryRun: true })).edits).toMatchObject([{ id: 'dish_2' }]);
  });

  it('is reverted and reported when edits are to be undone, and lists, filters and menu agree with the document', async () => {
    const { concurrentEdits, changed } = await importAround({});
    expect(concurrentEdits).toMatchObject([{ kind: 'cmsEntry', id: 'dish_2' }]);
    expect(changed).toBe(1);
    expect(await entry()).toEqual(ofDocument);
    expect([await filtered(1), await filtered(2), await productsWithEntry()]).toEqual([['dish_2'], [], ['prod_1']]);
    expect((await importFile(document, { dryRun: true })).edits).toEqual([]);
  });
});

it.each([
  [
    'keeps and lists such an edit',
    undefined,
    /^Kept 1 edit made while .+ ran:\n {2}cmsEntry dishes\/dish_2, changed \S+\nImp/,
  ],
  ['undoes and counts it with --yes', 'undo', /^Undid 1 edit\.\nImported .+: 1 change /],
] as const)('the command %s', async (_, edits, expected) => {
  document.cms.entries[1].values = ofDocument;
  const folder = await mkdtemp(join(tmpdir(), 'concurrent-edits-'));
  const file = join(folder, 'document.json');
  await writeFile(file, JSON.stringify(document));
  const lines: string[] = [];
  const progress: Terminal['progress'] = () => ({
    count: 0,
    async *counting(records) {
      await edit(ofEdit);
      yield* records;
    },
  });
  const print = (line: string) => lines.push(line);
  const terminal: Terminal = { print, progress, note: () => undefined, write: async () => undefined };
  await runImport({ file, prune: false, dryRun: false, edits, all: false, backup: undefined }, testTable(), terminal);
  await rm(folder, { recursive: true });
  expect(lines.join('\n')).toMatch(expected);
});

it('an entry that was edited before and during the import is kept, although the first edit may be overwritten', async () => {
  await edit({ amount: 5 });
  const { edits, concurrentEdits } = await importFile(document, {
    concurrentEdits: 'keep',
    ...after(() => edit({ amount: 6 })),
  });
  expect([edits, concurrentEdits.map(({ id }) => id)]).toEqual([[], ['dish_2']]);
  expect((await entry()).amount).toBe(6);
});

it('a change of the service that the document has, too, is not an edit', async () => {
  document.cms.entries[1].values.amount = 7;
  delete document.cms.entries[1].updatedAt;
  const { concurrentEdits } = await importFile(document, {
    concurrentEdits: 'keep',
    ...after(() => edit({ amount: 7 })),
  });
  expect(concurrentEdits).toEqual([]);
});

it('a revoked or rotated key and a completed customer are kept', async () => {
  const file = await exported(workspaceId);
  const keys = await ApiKeys.of(testTable(), workspaceId);
  const { concurrentEdits } = await importFile(file, {
    concurrentEdits: 'keep',
    ...after(async () => {
      await keys.revoke('key_lina', new Date());
      await keys.rotate('key_site', new Date(), 0);
      await new Customers(testTable(), { workspaceId }).findOrCreate(
        { externalId: 'crm-77', phone: '+966500000000' },
        { actor: operator, requestId: null },
      );
    }),
  });
  expect(concurrentEdits.map(({ kind, id }) => `${kind} ${id}`).toSorted()).toEqual([
    'apiKey key_lina',
    'apiKey key_site',
    'customer cus_1',
  ]);
  const [desk, site] = await Promise.all(['key_lina', 'key_site'].map((id) => recordOf('apiKey', id)));
  expect(desk.revokedAt).not.toBeNull();
  expect(site.secretHash).not.toBe(file.apiKeys.find(({ id }: Document) => id === 'key_site').secretHash);
  expect((await recordOf('customer', 'cus_1')).phone).toBe('+966500000000');
});

it.each(['keep', 'undo'] as const)(
  'with --prune, a record that the service creates during the import is an edit: %s',
  async (concurrentEdits) => {
    const work = async () => {
      await site(`POST /api/public/forms/form-1?apiKey=${siteSecret(workspaceId)}`, { email: 'new@example.com' });
      await (await ApiKeys.of(testTable(), workspaceId)).create({
        name: 'Made meanwhile',
        memberId: null,
        permissions: [],
        expiresAt: null,
      });
    };
    const result = await importFile(document, { prune: true, concurrentEdits, ...after(work) });
    expect(result.concurrentEdits.map(({ kind, isMissing }) => [kind, isMissing])).toEqual([
      ['formResponse', true],
      ['notification', true],
      ['apiKey', true],
    ]);
    const kinds = ['formResponse', 'notification', 'apiKey'] as const;
    const counts = await Promise.all(kinds.map(async (kind) => (await storedRecords(workspaceId, kind)).length));
    expect(counts).toEqual(concurrentEdits === 'keep' ? [2, 2, 4] : [1, 1, 3]);
  },
);
