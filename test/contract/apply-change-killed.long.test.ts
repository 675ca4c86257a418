import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Member } from '#lib/domain/access/member.ts';
import { Permission } from '#lib/domain/access/permission.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import type { Item } from '#lib/table/schema.ts';
import type { Table } from '#lib/table/table.ts';
import type { WrittenKind, WrittenRecord } from '#lib/table/writer/change.ts';
import { applyChange } from '#test/support/apply-change.ts';
import { call } from '#test/support/call.ts';
import { everyKind, linaSecret, newWorkspaceId } from '#test/support/every-kind.ts';
import { killAtEveryWrite } from '#test/support/killable-table.ts';
import { allItems, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { type Document, storeWorkspace, testTable } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
const scope = { workspaceId };
const key = `all-secret-of-${workspaceId}`;
const now = '2026-05-01T00:00:00.000Z';
const document = everyKind(workspaceId);
let before: Item[];

beforeAll(async () => {
  await openOwnTable();
  document.apiKeys.push({ id: 'key_all', name: 'All', secret: key, permissions: Permission.options });
  await storeWorkspace(document);
  before = await allItems();
});
beforeEach(() => restoreItems(before));

const lists = [
  ...['products', 'categories?includeProducts=true'].map((list) => `/api/public/menu/${list}`),
  ...['', '?sort=-title', '?search=new'].map((query) => `/api/public/cms/dishes/list${query}`),
  ...['menu-products', 'menu-categories', 'forms', 'agents', 'channels', 'customers', 'customers?q=new'].map(
    (list) => `/api/v1/manage/${list}`,
  ),
  ...['cms-entries?modelId=dishes', 'form-responses', 'notifications'].map((list) => `/api/v1/manage/${list}`),
  ...['members', 'api-keys'].map((list) => `/api/v1/manage/${list}`),
];

/** The last use of a key is noted after the answer. */
const withoutUses = (json: unknown) =>
  JSON.parse(JSON.stringify(json), (name, value) => (name === 'lastUsedAt' ? undefined : value));

/** Contents, totals and order of every list, as a caller sees them. */
async function shown() {
  const answers = lists.map(async (list) => {
    const inQuery = list.includes('/menu/') ? `${list.includes('?') ? '&' : '?'}apiKey=${key}` : '';
    const { status, json, headers } = await call(`GET ${list}${inQuery}`, inQuery ? {} : { key });
    return [list, status, withoutUses(json), headers['x-cms-total']];
  });
  const ofMember = call('GET /api/public/cms/dishes/list', { key: linaSecret(workspaceId) });
  return Promise.all([...answers, ofMember.then(({ status }) => ['a key of a member', status])]);
}

const { menu, cms, forms, messaging } = document as Document;
const dish = cms.entries.find(({ id }: Document) => id === 'dish_1');
const entry = (id: string, record: object) => ['cmsEntry', id, { ...dish, id, ...record }] as const;
const product = (id: string, record: object) => ['menuProduct', id, { ...menu.products[0], id, ...record }] as const;
const category = (id: string, record: object) =>
  ['menuCategory', id, { ...menu.categories[0], id, ...record }] as const;

type RecordChange = readonly [kind: WrittenKind, id: string, record: object | null];
type Change = (table: Table) => Promise<unknown>;
const records: Readonly<Record<string, RecordChange>> = {
  'the creation of a product': product('prod_new', { slug: 'new', name: { en: 'New' } }),
  'the replacement of a product': product('prod_1', { slug: 'renamed', name: { en: 'New' }, soldout: true }),
  'the removal of a product': ['menuProduct', 'prod_1', null],
  'the creation of a category': category('cat_new', { slug: 'new', name: { en: 'New' } }),
  'the replacement of a category': category('cat_1', { slug: 'renamed', name: { en: 'New' } }),
  'the creation of an entry': entry('dish_new', { values: { ...dish.values, title: { en: 'New' } } }),
  'the move of an entry': entry('dish_1', { createdAt: '2025-02-01T00:00:00.000Z' }),
  'a new relation of an entry': entry('dish_1', { values: { title: { en: 'New' }, products: ['prod_2', 'prod_3'] } }),
  'the removal of an entry': ['cmsEntry', 'dish_1', null],
  'the replacement of a form': ['form', 'form_1', { ...forms[0], slug: 'renamed', title: { en: 'New' } }],
  'the removal of a form': ['form', 'form_2', null],
  'the creation of a customer': ['customer', 'cus_new', { id: 'cus_new', name: 'New', email: 'new@example.com' }],
  'the renaming of a customer': ['customer', 'cus_1', { ...messaging.customers[0], name: 'New' }],
  'the removal of a customer': ['customer', 'cus_1', null],
  'the creation of a form': ['form', 'form_new', { ...forms[0], id: 'form_new', slug: 'new', title: { en: 'New' } }],
  'the creation of an agent': ['agent', 'agent_new', { id: 'agent_new', name: 'New' }],
  'a new identifier of a channel': ['channel', 'ch_2', { ...messaging.channels[1], identifier: '+966500000001' }],
  'the removal of a channel': ['channel', 'ch_2', null],
};

const recordChange =
  ([kind, id, record]: RecordChange): Change =>
  async (table) => {
    const schema = await readCmsSchema(testTable(), scope);
    const address = { kind, id, ...(kind === 'cmsEntry' && { modelId: 'dishes' }) };
    return applyChange(table, scope, { ...address, record: record as WrittenRecord | null }, { now, schema });
  };

const memberChange =
  (change: (member: Member | undefined) => Member | null): Change =>
  (table) =>
    applyChange(
      table,
      scope,
      { kind: 'member', id: 'mem_lina', decide: async ({ record }) => change(record as Member | undefined) },
      { now },
    );

const changes: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(Object.entries(records).map(([name, change]) => [name, recordChange(change)])),
  'the deactivation of a member': memberChange((member) => ({ ...(member as Member), active: false })),
  'a new address of a member': memberChange((member) => ({ ...(member as Member), email: 'new@example.com' })),
  'the removal of a member': memberChange(() => null),
  'the revocation of a key': (table) =>
    applyChange(
      table,
      scope,
      {
        kind: 'apiKey',
        id: 'key_lina',
        decide: async ({ record }) => ({ ...(record as ApiKeyRecord), revokedAt: now }),
      },
      { now },
    ),
};

describe('a process killed between any two writes leaves the old or the new state of every list', () => {
  it.each(Object.entries(changes))(
    'a process killed between any two writes of %s leaves the old or the new state of every list',
    async (_, change) => {
      const old = await shown();
      await change(testTable());
      const changed = await shown();
      expect(changed).not.toEqual(old);
      expect(new Set(old.map(([, status]) => status))).toEqual(new Set([200]));
      let oldStates = 0;
      const run = async (table: Table) => {
        await restoreItems(before);
        await shown();
        await change(table);
      };
      await killAtEveryWrite(run, async (_writes, isComplete) => {
        const left = await shown();
        expect([old, changed]).toContainEqual(left);
        if (!isComplete && JSON.stringify(left) === JSON.stringify(old)) {
          oldStates++;
          // A repetition finds no obstacle.
          await change(testTable());
        }
        expect(await shown()).toEqual(changed);
      });
      expect(oldStates).toBeGreaterThan(0);
    },
  );
});
