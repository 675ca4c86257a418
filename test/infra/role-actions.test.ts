import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { type Kitchen, openKitchen } from '#test/support/kitchen.ts';
import type { TableCall } from '#test/support/table-call.ts';
import { allowed } from './statements.ts';
import { declared, functionsByName, type Resource, synthesize } from './synthesize.ts';

// The emulators do not check roles: what functions really ask of the table is held against what their roles allow.

let proxy: FaultProxy;
let kitchen: Kitchen;
const service = await synthesize(declared);

beforeAll(async () => {
  kitchen = await openKitchen((document) => {
    document.forms = [{ id: 'form_1', slug: 'contact', title: { en: 'Contact' }, fields: [], enabled: true }];
  });
  proxy = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
});

afterAll(() => proxy.stop());

beforeEach(() => proxy.heal());

/** What a role must allow for a call; of a transaction, for each of its parts. */
function actionsFor({ operation, input }: TableCall): string[] {
  if (operation !== 'TransactWriteItems') return [`dynamodb:${operation}`];
  const parts: object[] = input.TransactItems;
  return parts.flatMap((part) => Object.keys(part)).map((kind) => `dynamodb:${actionOfPart[kind]}`);
}

const actionOfPart: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

it.each([
  ['cms-entries-list', 'GET /api/public/cms/chefs/list?limit=2', undefined],
  ['cms-entry-get', 'GET /api/public/cms/chefs/chef_1', undefined],
  [
    'cms-entry-update',
    'PATCH /api/public/cms/chefs/chef_1',
    { values: { name: { en: 'Noura' }, signature: ['prod_1'] } },
  ],
  ['cms-entry-update', 'PATCH /api/public/cms/things/thing_1', { values: { title: 'New', chef: 'chef_2' } }],
  ['menu-products-list', 'GET /api/public/menu/products?apiKey=KEY', undefined],
  ['menu-categories-list', 'GET /api/public/menu/categories?includeProducts=true&apiKey=KEY', undefined],
  ['form-get', 'GET /api/public/forms/contact?apiKey=KEY', undefined],
  ['form-submit', 'POST /api/public/forms/contact?apiKey=KEY', {}],
])('%s asks nothing of the table that its role does not allow: %s', async (name, request, body) => {
  const key = kitchen.keys.chief;
  const isInQuery = request.includes('KEY');
  const answer = await call(request.replace('KEY', key), { ...(!isInQuery && { key }), ...(body && { body }) });
  expect(answer.status).toBe(200);
  const { fn } = functionsByName(service).get(name) as { fn: Resource };
  const asked = new Set(proxy.calls.flatMap(actionsFor));
  expect(asked.size).toBeGreaterThan(0);
  const may = new Set(allowed(service, fn)['WorkspaceTable']);
  expect([...asked].filter((action) => !may.has(action))).toEqual([]);
});
