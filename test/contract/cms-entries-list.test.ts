import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { chefOne } from '#test/support/presets/kitchen.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const image = (id: string) => ({
  id,
  url: `https://img.example/${id}.png`,
  alt: { en: 'Tea' },
  width: 640,
  height: null,
});

const ofEveryType = {
  title: 'Quotes " and \\, lines\nand \u2028, a lemon 🍋 and شاي',
  long: 'x'.repeat(10_000),
  rich: { ar: '<p>شاي</p>', en: '<p>Tea</p>' },
  amount: 0.1 + 0.2,
  active: false,
  day: '2024-02-29',
  moment: '2026-01-31T09:30:00.5+03:00',
  email: 'lina@example.com',
  url: 'https://example.com/menu?a=1&b=2',
  phone: '+966 (50) 000-0001',
  size: 'm',
  tags: ['new', 'hot'],
  data: { z: [1, null, { a: 'b' }], a: '"', true: true },
  picture: image('img_1'),
  pictures: [image('img_3'), image('img_2')],
};

const entryAt = (createdAt: string, id: string, values: object) => ({ id, modelId: 'things', createdAt, values });

const kitchen = await openWorkspace('kitchen', ({ cms }) => {
  cms.models.push({ id: 'nothing', name: { en: 'Nothing' }, fields: [] });
  cms.entries.push(
    entryAt('2026-03-01T00:00:00.000Z', 'full', ofEveryType),
    entryAt('2026-03-01T00:00:00.001Z', 'bare', { title: 'Bare', rich: {}, chef: null }),
    ...['b', 'a', 'B', 'ab', 'a.b', '_', '10', '9'].map((id) => entryAt('2026-02-01T00:00:00.000Z', id, { title: id })),
  );
});
const { canary, keys } = kitchen;
const get = (address: string) => call(`GET /api/public/cms/${address}`, { key: keys.editor });
const ids = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);

describe('the list of entries', () => {
  it('answers an array of flat entries: the system fields and the visible fields (200)', async () => {
    const { status, json } = await get('chefs/list?maxDepth=0&offset=4');
    expect(status).toBe(200);
    expect(json).toEqual([chefOne(canary)]);
  });

  it("reports the total and the page's position in headers", async () => {
    const { headers } = await get('chefs/list?limit=2&offset=1&maxDepth=0');
    expect(headers).toMatchObject({
      'x-cms-total': '5',
      'x-cms-limit': '2',
      'x-cms-offset': '1',
      'x-cms-has-more': '1',
      'x-cms-max-depth': '0',
    });
  });

  it('sends every header also without parameters and without entries', async () => {
    const { status, headers, text } = await get('nothing/list');
    expect([status, text]).toEqual([200, '[]']);
    expect(headers).toMatchObject({
      'x-cms-total': '0',
      'x-cms-limit': '20',
      'x-cms-offset': '0',
      'x-cms-has-more': '0',
      'x-cms-max-depth': '3',
    });
  });

  it('is JSON that no shared cache keeps, and has a new request id each time', async () => {
    const headers = { 'x-request-id': 'mine' };
    const answers = [0, 1].map(() => call('GET /api/public/cms/chefs/list', { key: keys.editor, headers }));
    const [first, second] = (await Promise.all(answers)).map((answer) => answer.headers);
    expect(first?.['content-type']).toMatch(/^application\/json/);
    expect(first?.['cache-control']).toMatch(/private/);
    expect(first?.['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.['x-request-id']).not.toBe(first?.['x-request-id']);
  });

  it('shows published and unpublished entries', async () => {
    const { json } = await get('chefs/list?fields=published');
    expect(json.filter(({ published }: { published: boolean }) => !published)).toEqual([
      { id: 'chef_4', published: false },
    ]);
  });

  it('is ordered newest first, and by id descending among entries of the same time', async () => {
    expect(ids((await get('chefs/list')).json)).toEqual(['chef_5', 'chef_4', 'chef_3', 'chef_2', 'chef_1']);
    const tied = ['b', 'ab', 'a.b', 'a', '_', 'B', '9', '10'];
    expect(ids((await get('things/list?fields=id')).json)).toEqual(['bare', 'full', ...tied, 'thing_1']);
  });

  it('shows a change in the next answer', async () => {
    const change = { key: keys.editor, body: { values: { joined: '2026-05-01', bio: { en: 'New' } } } };
    expect((await call('PATCH /api/public/cms/chefs/chef_2', change)).status).toBe(200);
    const { json } = await get('chefs/list?fields=joined,bio&offset=3&limit=1');
    expect(json).toEqual([{ id: 'chef_2', joined: '2026-05-01', bio: { en: 'New' } }]);
  });

  it('answers HEAD like GET, without a body', async () => {
    const answer = await call('HEAD /api/public/cms/chefs/list?limit=2', { key: keys.editor });
    const { 'x-request-id': _, ...headers } = (await get('chefs/list?limit=2')).headers;
    expect(answer).toMatchObject({ status: 200, text: '', headers });
  });

  it('refuses HEAD like GET, without a body', async () => {
    const answer = await call('HEAD /api/public/cms/chefs/list?limit=0', { key: keys.editor });
    expect(answer).toMatchObject({ status: 400, text: '' });
  });
});

describe('a value in a list', () => {
  it('is returned as given, for every type', async () => {
    const { text, json } = await get('things/list?offset=1&limit=1');
    expect(json[0]).toMatchObject(ofEveryType);
    expect(text).toContain(`"data":${JSON.stringify(ofEveryType.data)}`);
    expect(text).toContain(`"picture":${JSON.stringify(ofEveryType.picture)}`);
  });

  it('is null when it is absent, also for a localized field without any language', async () => {
    const { json } = await get('things/list?limit=1');
    const { id, published, createdAt, updatedAt, title, ...rest } = json[0];
    expect([id, published, createdAt, title]).toEqual(['bare', true, '2026-03-01T00:00:00.001Z', 'Bare']);
    expect(updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });

  it.each([0, -1, 0.1, 1e100, -1e-100, 123_456_789.123_456_78, Number.MAX_SAFE_INTEGER])(
    'is the same number: %d',
    async (amount) => {
      const values = { values: { amount } };
      const { json } = await call('PATCH /api/public/cms/things/bare', { key: keys.editor, body: values });
      expect(json.amount).toBe(amount);
      expect((await get('things/list?limit=1&fields=amount')).json).toEqual([{ id: 'bare', amount }]);
    },
  );
});

describe('404 for an unknown database', () => {
  it('is the answer for an id of 5,000 characters', async () => {
    expect((await get(`${'x'.repeat(5_000)}/list`)).status).toBe(404);
  });

  it.each(['cooks', 'CHEFS', 'chefs%20', '..', '__proto__', 'chefs%23id', '%F0%9F%8D%8B'])(
    'is the answer for a list of %s',
    async (modelId) => {
      const { status, text, headers } = await get(`${modelId}/list`);
      expect(status).toBe(404);
      expect(JSON.parse(text)).toEqual({ message: 'CMS database not found.', code: 'not_found' });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
