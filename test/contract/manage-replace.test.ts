import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { testedKinds } from '#test/support/manage-kinds.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('records');
const other = await openWorkspace('records');
const product = { slug: 'new', name: { en: 'New' }, categoryId: 'cat_1' };

it('PUT /manage/{kind}/{id} creates, replaces as a whole, and keeps the ETag without a change', async () => {
  const made = await kitchen.manage('PUT menu-products/prod_new', { ...product, images: [] });
  expect(made.status).toBe(201);
  expect(made.headers).toMatchObject({ location: '/api/v1/manage/menu-products/prod_new' });
  const again = await kitchen.manage('PUT menu-products/prod_new', product);
  expect([again.status, again.headers['etag'], again.json]).toEqual([200, made.headers['etag'], made.json]);
  const changed = await kitchen.manage('PUT menu-products/prod_new', { ...product, soldout: true });
  expect(changed.status).toBe(200);
  expect(changed.json).toMatchObject({ soldout: true, createdAt: made.json.createdAt });
  expect(changed.json.updatedAt > made.json.updatedAt).toBe(true);
  expect(changed.headers['etag']).not.toBe(made.headers['etag']);
  const { menu } = await exported(kitchen.workspaceId);
  expect(menu.products.find(({ id }: { id: string }) => id === 'prod_new')).toEqual(changed.json);
});

describe.each(testedKinds.map((tested) => [tested.kind, tested] as const))(
  'PUT %s',
  (kind, { fresh, defaults, patch, ...one }) => {
    const body = fresh(`put-${kind}`);
    const put = (id: string, sent: object, headers: Record<string, string> = {}) =>
      kitchen.manage(`PUT ${kind}/${id}`, sent, { headers });

    it('creates a record in this workspace only, and replaces all of it', async () => {
      const made = await put('put', body);
      expect([made.status, made.headers['location']]).toEqual([201, `/api/v1/manage/${kind}/put`]);
      expect(made.json).toMatchObject({ ...body, ...defaults, id: 'put' });
      expect((await other.manage(`GET ${kind}/put`)).status).toBe(404);
      const patched = await kitchen.manage(`PATCH ${kind}/put`, patch);
      const replaced = await put('put', body, { 'if-match': patched.headers['etag'] ?? '' });
      expect(replaced.status).toBe(200);
      const { updatedAt, ...record } = made.json;
      expect(replaced.json).toEqual({ ...record, ...(updatedAt && { updatedAt: replaced.json.updatedAt }) });
      expect((await put('put', body)).headers['etag']).toBe(replaced.headers['etag']);
    });

    it('refuses an invalid record, and a failed condition', async () => {
      const { status, json } = await put('wrong', one.wrong);
      expect(status).toBe(400);
      expect(issuesOf({ json }).sort()).toEqual(one.faults);
      const codes = await Promise.all([
        put(one.stored, fresh(`refused-${kind}`), { 'if-match': '"old"' }),
        put(one.stored, fresh(`refused-${kind}`), { 'if-none-match': '*' }),
        put('absent', fresh(`absent-${kind}`), { 'if-match': '*' }),
      ]);
      expect(codes.map(({ json }) => json.code)).toEqual(Array(3).fill('precondition_failed'));
    });

    it('repeats its answer for an Idempotency-Key', async () => {
      const headers = { 'idempotency-key': `of-${kind}`, 'if-none-match': '*' };
      const first = await put('once', fresh(`once-${kind}`), headers);
      await kitchen.manage(`PATCH ${kind}/once`, patch);
      const again = await put('once', fresh(`once-${kind}`), headers);
      expect([again.status, again.text, again.headers['etag']]).toEqual([201, first.text, first.headers['etag']]);
      expect((await put('once', fresh(`twice-${kind}`), headers)).json.code).toBe('idempotency_key_reused');
    });
  },
);

it('PUT /manage/{kind}/{id} returns all errors together, with their paths in the record', async () => {
  const body = { id: 'other', slug: 'dish-1', name: { de: 'x' }, categoryId: 'nowhere', published: null, colour: 1 };
  const { status, json } = await kitchen.manage('PUT menu-products/prod_9', body);
  expect([status, json.code]).toEqual([400, 'validation_failed']);
  expect(issuesOf({ json }).sort()).toEqual([
    'categoryId not_found',
    'colour unknown_field',
    'id not_allowed',
    'name.de not_allowed',
    'published type',
    'slug duplicate',
  ]);
});

it('PUT /manage/{kind}/{id} checks If-Match and If-None-Match', async () => {
  const put = (headers: Record<string, string>, id = 'prod_1') =>
    kitchen.manage(`PUT menu-products/${id}`, { ...product, slug: `s-${id}` }, { headers });
  expect((await put({ 'if-match': '"other"' })).status).toBe(412);
  for (const ifMatch of ['*', '"other"']) {
    const { status, json } = await put({ 'if-match': ifMatch }, 'prod_absent');
    expect([status, json.message]).toEqual([412, 'There is no menu product with this id, so If-Match cannot match.']);
  }
  expect((await put({ 'if-none-match': '*' })).status).toBe(412);
  expect((await put({ 'if-none-match': '*' }, 'prod_fresh')).status).toBe(201);
  const { headers } = await kitchen.manage('GET menu-products/prod_1');
  expect((await put({ 'if-match': headers['etag'] ?? '' })).status).toBe(200);
});

it('PUT /manage/{kind}/{id} lists the absent targets of a record', async () => {
  const { status, headers } = await kitchen.manage('PUT menu-products/prod_2', {
    ...product,
    slug: 'dish-2',
    suggestions: ['prod_1', 'prod_gone', 'prod_away'],
  });
  expect([status, headers['x-missing-references']]).toEqual([200, 'suggestions.1, suggestions.2']);
});

it('PUT /manage/{kind}/{id} lists 20 of many absent targets, because clients refuse large headers', async () => {
  const suggestions = Array.from({ length: 1_000 }, (_, index) => `prod_gone_${index}`);
  const body = { ...product, slug: 'dish-2', suggestions };
  const { status, headers } = await kitchen.manage('PUT menu-products/prod_2', body);
  const listed = suggestions.slice(0, 20).map((_, index) => `suggestions.${index}`);
  expect([status, headers['x-missing-references']]).toEqual([200, listed.join(', ')]);
});

it('PUT /manage/{kind}/{id} records an audit event in the same transaction', async () => {
  await kitchen.manage('PUT menu-products/prod_3', { ...product, slug: 'dish-3', name: { en: 'Other', ar: 'طبق 3' } });
  const { listEvents } = await import('#lib/access/audit-log.ts');
  const { testTable } = await import('#test/support/world.ts');
  const query = { recordKind: 'menu-products', recordId: 'prod_3', limit: 5 };
  const { data: events } = await listEvents(testTable(), kitchen, query);
  expect(events).toEqual([
    expect.objectContaining({
      actor: { type: 'key', id: 'key_all', name: 'all' },
      action: 'update',
      changed: ['name.en', 'priceOptions'],
    }),
  ]);
});

it('a record of PUT /manage/{kind}/{id} appears in the next response of the public lists', async () => {
  const reader = kitchen.secretOf('menu:product:read');
  const names = async () => {
    const { json } = await call(`GET /api/public/menu/products?apiKey=${reader}&search=visible`);
    return json.data.map(({ id }: { id: string }) => id);
  };
  expect(await names()).toEqual([]);
  await kitchen.manage('PUT menu-products/prod_seen', { ...product, slug: 'seen', name: { en: 'Visible' } });
  expect(await names()).toEqual(['prod_seen']);
});
