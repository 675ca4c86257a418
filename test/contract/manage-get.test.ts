import { expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('records');
const other = await openWorkspace('records', (document) => {
  document.menu.products = [];
});

it('GET /manage/{kind}/{id} returns a stored record with its ETag', async () => {
  const { status, json, headers } = await kitchen.manage('GET menu-products/prod_1');
  expect(status).toBe(200);
  expect(json).toMatchObject({ id: 'prod_1', slug: 'dish-1', categoryId: 'cat_1', published: true, images: [] });
  expect(headers['etag']).toMatch(/^"[\w-]{22}"$/);
});

it.each(['its ETag', '*'])('GET /manage/{kind}/{id} returns 304 for %s', async (tag) => {
  const { headers } = await kitchen.manage('GET channels/ch_1');
  const again = await kitchen.manage('GET channels/ch_1', undefined, {
    headers: { 'if-none-match': tag === '*' ? tag : (headers['etag'] ?? '') },
  });
  expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
});

it('GET /manage/{kind}/{id} returns 404 for * without a record', async () => {
  const headers = { 'if-none-match': '*' };
  expect((await kitchen.manage('GET forms/nobody', undefined, { headers })).status).toBe(404);
});

it.each(['menu-products/nobody', 'menu-products/a%23b', 'menu-products/a/b', 'nothing/x', 'changes/x'])(
  'GET /manage/{kind}/{id} returns 404 for %s',
  async (path) => {
    expect((await kitchen.manage(`GET ${path}`)).json).toMatchObject({ code: 'not_found' });
  },
);

it('GET /manage/{kind}/{id} shows nothing of another workspace', async () => {
  expect((await other.manage('GET menu-products/prod_1')).status).toBe(404);
});

it('GET /manage/{kind}/{id} reads the key from headers only', async () => {
  const { status, json } = await call(`GET /api/v1/manage/forms/form_1?apiKey=${kitchen.secretOf('all')}`);
  expect([status, json.code]).toEqual([401, 'missing_api_key']);
});

it('GET /manage/{kind}/{id} lets kitchen staff read products, and requires the permission of the member, too', async () => {
  const get = (path: string, name: string) => call(`GET /api/v1/manage/${path}`, { key: kitchen.secretOf(name) });
  expect((await get('menu-products/prod_1', 'menu:product:availability')).status).toBe(200);
  expect((await get('menu-products/prod_1', 'member')).status).toBe(200);
  const { status, json } = await get('agents/agent_1', 'member');
  expect([status, json.message]).toEqual([
    403,
    'The member of this API key lacks the permission messaging:agent:read.',
  ]);
});
