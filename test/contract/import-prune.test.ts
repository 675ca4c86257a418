import { describe, expect, it } from '@jest/globals';
import { allRules } from '#lib/manage/all-rules.ts';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys, type RecordKind } from '#lib/table/keys.ts';
import { Table } from '#lib/table/table.ts';
import { changeSteps } from '#lib/table/writer/apply-change.ts';
import type { DecidedChange, StorageRules } from '#lib/table/writer/change.ts';
import { conversationRules } from '#lib/table/writer/conversation-rules.ts';
import { repeatWrite } from '#lib/table/writer/repeat-write.ts';
import type { ImportOptions } from '#lib/workspace/import-document.ts';
import { newWorkspaceId } from '#test/support/every-kind.ts';
import { KillableTable, killAtEveryWrite } from '#test/support/killable-table.ts';
import { itLong } from '#test/support/long-run.ts';
import { type Document, importFile, load, storeWorkspace, testTable } from '#test/support/world.ts';

interface Pair {
  /** The kind of the record that the import removes; its id is `gone`. */
  readonly kind: RecordKind;
  readonly withoutParent: (document: Document) => unknown;
  readonly child: Omit<DecidedChange, 'decide'>;
  readonly record: object;
  /** Whether the parent stays for a child. A database takes its entries along. */
  readonly stays: boolean;
}

const conversation = { id: 'new', kind: 'main', parentId: null, language: null, status: 'open', assignee: null };
const product = Object.assign(
  { id: 'new', slug: 'new', barcode: null, name: { en: 'New' }, intro: null, description: null, priceOptions: [] },
  { thumbnail: null, images: [], published: true, publishAt: null, unpublishAt: null, soldout: false, position: null },
  { soldoutUntil: null, preparationTime: null, nutritionFacts: null, suggestions: [], optionSets: [] },
);
const entry = { id: 'new', modelId: 'gone', published: true, publishAt: null, unpublishAt: null, values: {} };
const of = (list: Document[]): number => list.splice(1).length;

const pairs: Readonly<Record<string, Pair>> = {
  'a channel and a conversation': {
    kind: 'channel',
    withoutParent: ({ messaging }) => of(messaging.channels),
    child: { kind: 'conversation', id: 'new' },
    record: { ...conversation, channelId: 'gone', customerId: 'kept' },
    stays: true,
  },
  'a customer and a conversation': {
    kind: 'customer',
    withoutParent: ({ messaging }) => of(messaging.customers),
    child: { kind: 'conversation', id: 'new' },
    record: { ...conversation, channelId: 'kept', customerId: 'gone' },
    stays: true,
  },
  'a category and a product': {
    kind: 'menuCategory',
    withoutParent: ({ menu }) => of(menu.categories),
    child: { kind: 'menuProduct', id: 'new' },
    record: { ...product, categoryId: 'gone' },
    stays: true,
  },
  'a database and an entry': {
    kind: 'cmsModel',
    withoutParent: ({ cms }) => of(cms.models),
    child: { kind: 'cmsEntry', modelId: 'gone', id: 'new' },
    record: entry,
    stays: false,
  },
};

/** A workspace with two parents of each kind, and its document without one of them. */
async function stored({ withoutParent }: Pair) {
  const workspaceId = newWorkspaceId();
  const two = (make: (id: string) => object) => ['kept', 'gone'].map((id) => ({ id, ...make(id) }));
  const document = {
    version: 1,
    workspace: { id: workspaceId, name: 'Prune', languages: ['en'], defaultLanguage: 'en', currency: 'SAR' },
    cms: { models: two((id) => ({ name: { en: id }, fields: [] })) },
    menu: { categories: two((slug) => ({ slug, name: { en: slug } })) },
    messaging: {
      channels: two((id) => ({ type: 'website', identifier: `${id}.example.com` })),
      customers: two((name) => ({ name })),
    },
  };
  await storeWorkspace(document);
  withoutParent(document);
  return { workspaceId, document };
}

const has = async (workspaceId: string, kind: RecordKind, id: string) =>
  (await testTable().get(keys.record(workspaceId, kind, id))) !== undefined;

const hasChild = async (workspaceId: string, { kind, id, modelId }: Pair['child']) => {
  if (modelId === undefined) return has(workspaceId, kind as RecordKind, id);
  const found = [keys.cmsEntries(workspaceId, modelId), keys.cmsEntryPointers(workspaceId, modelId)].map((pk) =>
    Array.fromAsync(testTable().query({ pk })),
  );
  return (await Promise.all(found)).flat().length > 0;
};

/** A write of the child by a request that has read everything before the import begins. */
async function begunWrite(workspaceId: string, { child, record }: Pair) {
  const table = testTable();
  const rules = child.kind === 'conversation' ? conversationRules : allRules[child.kind as 'menuProduct']?.storage;
  const change = { ...child, decide: async () => record as { readonly id: string } };
  const schema = await readCmsSchema(table, { workspaceId });
  const context = { now: new Date().toISOString(), ...(schema && { schema }) };
  const steps = changeSteps(rules as StorageRules<unknown>, table, { workspaceId }, change, context);
  const prepared = await steps.prepare(1);
  return { steps, write: () => steps.write(prepared) };
}

/** A table whose import runs some work before its first write that names the removed parent. */
function beforeItsWrite(work: () => Promise<unknown>): Table {
  const client = tableClient('import');
  let done: Promise<unknown> | undefined;
  const call = async (operation: never, input: never, signal: never) => {
    const isWrite = /^(?:Put|Update|BatchWrite|TransactWrite)/.test(operation);
    if (isWrite && /\bgone\b/.test(JSON.stringify(input))) done ??= work();
    await done;
    return client.call(operation, input, signal);
  };
  return new Table({ client: { ...client, call: call as never }, name: testTable().name });
}

describe.each(Object.entries(pairs))('an import that removes %s that begins meanwhile', (_, pair) => {
  const { kind, child, stays } = pair;

  const check = async (workspaceId: string, isMade: boolean, mayStay = stays) => {
    const [parent, made] = [await has(workspaceId, kind, 'gone'), await hasChild(workspaceId, child)];
    expect({ isMade, parent, made }).toEqual({ isMade, parent: isMade && mayStay, made: isMade && mayStay });
  };

  it.each(['after the check', 'before the removal'])('keeps both or neither, and says so: %s', async (moment) => {
    const { workspaceId, document } = await stored(pair);
    const { write } = await begunWrite(workspaceId, pair);
    const watch: ImportOptions['watch'] = async function* (records) {
      await write();
      yield* records;
    };
    const { warnings, removed } =
      moment === 'after the check'
        ? await importFile(document, { prune: true, watch })
        : await importFile(document, { prune: true }, beforeItsWrite(write));
    await check(workspaceId, true);
    const kept = stays ? [{ kind, id: 'gone', code: 'in_use', location: 'stored' }] : [];
    expect(warnings).toMatchObject(kept);
    expect(removed[kind as 'channel']).toBe(stays ? undefined : 1);
  });

  itLong('keeps both or neither, at any of its writes', async () => {
    for (let at = 0, writes = at; at <= writes; at++) {
      const { workspaceId, document } = await stored(pair);
      const { write } = await begunWrite(workspaceId, pair);
      let outcome: unknown;
      const table = new KillableTable(Number.POSITIVE_INFINITY, async (before) => {
        if (before === at) outcome ??= await write();
      });
      const { failures } = await importFile(document, { prune: true }, table.table);
      // A child that is stored before the check is a failure of the document.
      await check(workspaceId, typeof outcome === 'object', stays || failures.length > 0);
      writes = table.writes;
    }
  });

  itLong('that was killed between two writes leaves no mark on what stays after the next import', async () => {
    let workspaceId = '';
    let document: Document;
    const run = async (table: Table) => {
      ({ workspaceId, document } = await stored(pair));
      await importFile(document, { prune: true }, table);
    };
    await killAtEveryWrite(run, async () => {
      await removeAll(testTable(), [keys.importLease(workspaceId)]);
      const { version, workspace } = document;
      await load({ version, workspace });
      if (!(await has(workspaceId, kind, 'gone'))) return;
      const { steps } = await begunWrite(workspaceId, pair);
      expect(typeof (await repeatWrite(testTable(), { ...steps, triesMax: 2 }))).toBe('object');
    });
  });
});
