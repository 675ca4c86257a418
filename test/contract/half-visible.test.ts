import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it, jest } from '@jest/globals';
import { compactCollection } from '#lib/table/collection/compact-collections.ts';
import { headKey } from '#lib/table/collection/head.ts';
import { keys } from '#lib/table/keys.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { menuScope } from '#lib/table/menu/menu-index.ts';
import type { Key } from '#lib/table/schema.ts';
import { call } from '#test/support/call.ts';
import type { FaultProxy } from '#test/support/fault-proxy.ts';
import { ageBase } from '#test/support/old-log.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import type { Input } from '#test/support/table-call.ts';
import { withKey } from '#test/support/views.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const engine = new DynamoDBClient({ endpoint: process.env['AWS_ENDPOINT_URL_DYNAMODB'] });

/** An item in the format of the engine. */
type WireItem = Readonly<Record<string, Input>>;

/** Reads items without the proxy. A missing item cannot be shown later. */
async function storedItems(keys: readonly Key[]): Promise<readonly WireItem[]> {
  const items = keys.map(async ({ pk, sk }) => {
    const Key = { pk: { S: pk }, sk: { S: sk } };
    const { Item } = await engine.send(new GetItemCommand({ TableName: testTable().name, Key, ConsistentRead: true }));
    return Item ?? [];
  });
  return (await Promise.all(items)).flat();
}

/**
 * From now on, reads through the proxy return the former version of these items. DynamoDB makes a transaction visible
 * item by item. So a reader may see one item after the transaction, and then another one before it.
 */
function serveStaleItems(proxy: FaultProxy, items: readonly WireItem[]): void {
  const before = new Map(items.map((item) => [addressOf(item), item]));
  const shown = (item: WireItem): WireItem => before.get(addressOf(item)) ?? item;
  const by = ({ Items, Responses, ...output }: Input): Input => ({
    ...output,
    ...(Items && { Items: Items.map(shown) }),
    ...(Responses && {
      Responses: Object.fromEntries(
        Object.entries(Responses).map(([table, found]) => [table, (found as WireItem[]).map(shown)]),
      ),
    }),
  });
  proxy.chance = ({ operation }) =>
    ['BatchGetItem', 'Query'].includes(operation) ? { kind: 'rewritten', by } : undefined;
}

const addressOf = ({ pk, sk }: WireItem): string => `${pk.S} ${sk.S}`;

const createdAt = '2026-01-01T00:00:00.000Z';
const fields = [
  { key: 'title', name: { en: 'Title' }, type: 'text' },
  { key: 'data', name: { en: 'Data' }, type: 'json' },
  { key: 'dish', name: { en: 'Dish' }, type: 'relation', relation: { to: 'menu:product', many: false } },
];
const entriesOf = (modelId: string) =>
  ['one', 'two'].map((id) => ({ id, modelId, createdAt, updatedAt: createdAt, values: { title: 'first' } }));
const { secretOf, workspaceId } = await openWorkspace('records', (document) => {
  document.cms = {
    models: [
      { id: 'notes', name: { en: 'Notes' }, fields },
      { id: 'plain', name: { en: 'Plain' }, fields: fields.slice(0, 2) },
    ],
    entries: [...entriesOf('notes'), ...entriesOf('plain')],
  };
});
const key = secretOf('all');
const readerKey = secretOf('cms:entry:read');

// The functions are imported from here on, so that their table is behind the proxy.
const proxy = await startTableProxy();
afterEach(() => proxy.heal());

const becomeCold = () => containerMemory.makeRoom(Number.POSITIVE_INFINITY);

async function change(request: string, body: object): Promise<void> {
  const { status, text } = await call(request, { key, body });
  if (status !== 200) throw new Error(`${status}: ${text}`);
}

async function shownIn(request: string) {
  const isMenu = request.includes('/menu/');
  const { status, text, headers } = await call(withKey(request, key), { key: isMenu ? key : readerKey });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return { text, etag: headers['etag'], total: headers['x-cms-total'] };
}

const entry = (modelId: string) => keys.cmsEntry(workspaceId, modelId, createdAt, 'one');
const update = (path: string, values: object) => change(`PATCH /api/public/cms/${path}`, { values });

const cases = {
  'a product of the menu': {
    request: 'GET /api/public/menu/products?includeCmsData=false',
    writes: (name: string) => change('PATCH /api/v1/manage/menu-products/prod_1', { name: { en: name } }),
    items: [keys.record(workspaceId, 'menuProduct', 'prod_1')],
  },
  'an entry in cmsData': {
    request: 'GET /api/public/menu/products',
    writes: (title: string) => update('notes/one', { title, dish: 'prod_1' }),
    items: [entry('notes')],
  },
  'a published entry in a list': {
    request: 'GET /api/public/cms/plain/list',
    writes: (text: string) => update('plain/one', { published: text !== 'second' }),
    items: [entry('plain')],
  },
  'an entry in a filtered list': {
    request: 'GET /api/public/cms/plain/list?filter[title]=second',
    writes: (title: string) => update('plain/one', { title }),
    items: [entry('plain')],
  },
  'the order by updatedAt': {
    request: 'GET /api/public/cms/plain/list?sort=-updatedAt&fields=id',
    writes: async (text: string) => {
      await update('plain/two', { data: text });
      await update('plain/one', { data: text });
    },
    items: [entry('plain')],
  },
};

it.each(Object.entries(cases))(
  'a change of %s appears when its transaction ends, even if a reader saw its log before its record',
  async (_, { request, writes, items }) => {
    for (const text of ['second', 'third']) {
      const before = await storedItems(items);
      await writes(text);
      becomeCold();
      serveStaleItems(proxy, before);
      const early = await shownIn(request);
      // Several reads before the transaction ends, by a container that becomes warm.
      expect(await shownIn(request)).toEqual(early);
      proxy.heal();
      const done = await shownIn(request);
      becomeCold();
      expect(await shownIn(request)).toEqual(done);
      expect(done.text).not.toBe(early.text);
      expect(done.etag).not.toBe(early.etag);
    }
  },
);

it('a container that saw the epoch of a new base before its head reads the head again a minute later', async () => {
  const { request, writes } = cases['a product of the menu'];
  const scope = menuScope({ workspaceId });
  await writes('folded');
  await ageBase(scope);
  const before = await storedItems([headKey(scope)]);
  expect(await compactCollection(testTable(), scope)).toBe(true);
  becomeCold();
  serveStaleItems(proxy, before);
  await shownIn(request);
  proxy.heal();
  const later = Date.now() + 90_000;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
  const warm = await shownIn(request);
  becomeCold();
  const cold = await shownIn(request);
  clock.mockRestore();
  expect(warm).toEqual(cold);
});
