import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const option = { id: 'mild', name: { en: 'Mild' }, price: 0 };
const kitchen = await openWorkspace('records', ({ menu }) => {
  const set = { id: 'os_1', name: { en: 'Spice' }, options: [option, { ...option, id: 'hot' }] };
  for (const product of menu.products) product.optionSets = [set];
});
const { manage, secretOf } = kitchen;
const key = secretOf('menu:product:availability');
const availability = (method: string, path = '/prod_1', body?: object) =>
  call(`${method} /api/v1/manage/menu-products${path}`, { key, ...(body && { body }) });
const patch = (body: object) => availability('PATCH', '/prod_1', body);
const until = '2099-01-01T00:00:00.000Z';

describe('a key that may only change availability', () => {
  it('lists and reads products, and nothing else of management', async () => {
    expect((await availability('GET', '')).json.data).toHaveLength(3);
    expect((await availability('GET')).json).toMatchObject({ id: 'prod_1', soldoutUntil: null, position: null });
    for (const path of ['menu-categories', 'forms', 'attachments']) {
      expect((await call(`GET /api/v1/manage/${path}`, { key })).status).toBe(403);
    }
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', '/prod_1'],
      ['DELETE', '/prod_1'],
    ] as const) {
      expect((await availability(method, path, {})).status).toBe(403);
    }
  });

  it('marks a product as sold out, for good or until a time, and available again', async () => {
    expect((await patch({ soldout: true, soldoutUntil: '2099-01-01T03:00:00+03:00' })).json).toMatchObject({
      soldout: true,
      soldoutUntil: until,
    });
    expect((await patch({ soldoutUntil: null })).json).toMatchObject({ soldout: true, soldoutUntil: null });
    await patch({ soldout: true, soldoutUntil: until });
    expect((await patch({ soldout: true })).json).toMatchObject({ soldout: true, soldoutUntil: null });
    await patch({ soldout: true, soldoutUntil: until });
    expect((await patch({ soldout: false })).json).toMatchObject({ soldout: false, soldoutUntil: null });
  });

  it('marks options as sold out by sending whole option sets', async () => {
    const { json } = await availability('GET');
    const [set] = json.optionSets;
    const optionSets = [{ ...set, options: set.options.map((each: object) => ({ ...each, soldout: true })) }];
    const { status, json: changed } = await patch({ optionSets });
    expect([status, changed.optionSets]).toEqual([200, optionSets]);
  });

  it('is refused for any other change, with the missing permission (403)', async () => {
    const [set] = (await availability('GET')).json.optionSets;
    for (const body of [
      { published: false },
      { soldout: true, name: { en: 'Free' } },
      { position: 1 },
      { priceOptions: [] },
      { optionSets: [] },
      { optionSets: [{ ...set, options: set.options.toReversed() }] },
      { optionSets: [{ ...set, options: set.options.map((each: object) => ({ ...each, price: 1 })) }] },
      { updatedAt: until },
      { publishAt: until },
      { soldout: true, unpublishAt: until },
    ]) {
      const { status, json } = await patch(body);
      expect([body, status, json.message]).toEqual([body, 403, expect.stringContaining('menu:product:manage')]);
    }
    expect((await patch({ createdAt: until })).json).toMatchObject({ code: 'validation_failed' });
    expect((await patch({ soldoutUntil: 'tomorrow' })).json).toMatchObject({ code: 'validation_failed' });
    expect((await availability('PATCH', '/nothing', { soldout: true })).status).toBe(404);
  });
});

it('exports and management answers show a sold-out product as stored, even after its time', async () => {
  const past = '2020-01-01T00:00:00.000Z';
  await manage('PATCH menu-products/prod_2', { soldout: true, soldoutUntil: past, position: -1 });
  const written = { soldout: true, soldoutUntil: past, position: -1 };
  expect((await manage('GET menu-products/prod_2')).json).toMatchObject(written);
  const { menu } = await exported(kitchen.workspaceId);
  expect(menu.products.find(({ id }: { id: string }) => id === 'prod_2')).toMatchObject(written);
  const shown = await call(`GET /api/public/menu/products?ids=prod_2&apiKey=${secretOf('menu:product:read')}`);
  expect(shown.json.data[0]).toMatchObject({ id: 'prod_2', soldout: false });
});
