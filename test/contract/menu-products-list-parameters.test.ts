import { describe, expect, it } from '@jest/globals';
import { callList, idsOf, malformedPages, pageOf, product, timeAtSecond, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace(
  'kitchen',
  withProducts([
    ...Array.from({ length: 22 }, (_, index) => product(`p${index}`, { createdAt: timeAtSecond(index) })),
    product('tea', { createdAt: timeAtSecond(30), priceOptions: [{ id: 'po_1', price: 4.5 }] }),
    product('draft', { published: false }),
  ]),
);
const list = (query: string) => callList('products', keys.reader, query);
const pathsOf = (errors: readonly { path: string; code: string }[]) => errors.map(({ path }) => path).sort();

const malformedPrices = [
  '-1',
  '+1',
  '.5',
  '1.',
  '1e3',
  '01',
  '00',
  '1,5',
  '1.5.0',
  '0x10',
  'NaN',
  'Infinity',
  'free',
  '٤',
  ' 4',
  '4 ',
  '1000000000000000',
  '1.000000000000000',
  '123456789012.1234',
];
const malformed: readonly (readonly [string, string])[] = [
  ...malformedPages,
  ...['published', 'soldout', 'includeCmsData'].flatMap((path) =>
    ['1', '0', 'yes', 'TRUE', 'False', 'true ', 'null', 'true,false'].map(
      (flag) => [`${path}=${encodeURIComponent(flag)}`, path] as const,
    ),
  ),
  ...['minPrice', 'maxPrice'].flatMap((path) =>
    malformedPrices.map((price) => [`${path}=${encodeURIComponent(price)}`, path] as const),
  ),
];

describe('a malformed parameter', () => {
  it.each(malformed)('is refused: %s (400)', async (query, path) => {
    const { status, json } = await list(query);
    expect(status).toBe(400);
    expect(json).toEqual({
      code: 'invalid_query',
      message: expect.stringMatching(new RegExp(`^${path}: Must .*\\.$`)),
      errors: [{ path, code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringContaining(path) }],
    });
  });

  it('is reported together with all others', async () => {
    const query = 'page=0&limit=0&sortBy=x&sortOrder=x&published=x&soldout=x&minPrice=x&maxPrice=x&includeCmsData=x';
    const { status, json } = await list(`${query}&search=a&search=b&other=x&ids=${'x,'.repeat(3)}`);
    expect(status).toBe(400);
    expect(pathsOf(json.errors)).toEqual([
      'includeCmsData',
      'limit',
      'maxPrice',
      'minPrice',
      'page',
      'published',
      'search',
      'soldout',
      'sortBy',
      'sortOrder',
    ]);
  });

  it('is reported before a missing permission', async () => {
    expect(await list('published=false&limit=0')).toMatchObject({ status: 400, json: { code: 'invalid_query' } });
    expect(await list('published=false&limit=1')).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
  });
});

describe('the parameter ids', () => {
  const unknownIds = (count: number) => Array.from({ length: count }, (_, index) => `nobody_${index}`).join();

  it('accepts 100 ids', async () => {
    expect(await idsOf('products', keys.reader, `ids=${unknownIds(99)},tea`)).toEqual(['tea']);
  });

  it('refuses 101 ids with 400', async () => {
    const { status, json } = await list(`ids=${unknownIds(100)},tea`);
    expect(status).toBe(400);
    expect(json.code).toBe('invalid_query');
    expect(json.errors).toEqual([{ path: 'ids', code: 'max_items', message: expect.stringContaining('100') }]);
  });

  it('skips empty ids between commas', async () => {
    expect(await idsOf('products', keys.reader, `ids=${','.repeat(500)}${unknownIds(99)},%20,tea,`)).toEqual(['tea']);
  });
});

it('lists may be given in several parameters, each with several values', async () => {
  expect(await idsOf('products', keys.reader, `ids=tea&ids=&ids=nobody, rice,&%69ds=tea`)).toEqual(
    await idsOf('products', keys.reader, 'ids=tea,rice'),
  );
  const slugs = await idsOf('products', keys.reader, 'categorySlugs=drinks&categorySlugs=nothing,sweets');
  expect(slugs).toEqual(await idsOf('products', keys.reader, 'categorySlugs=drinks,sweets'));
  const many = Array.from({ length: 101 }, (_, index) => `ids=i${index}`).join('&');
  expect((await list(many)).json.errors).toMatchObject([{ path: 'ids', code: 'max_items' }]);
});

it('the name of a list may end in [], but no other name', async () => {
  const once = await idsOf('products', keys.reader, 'ids=tea,coffee,nobody');
  expect(once.length).toBeGreaterThan(0);
  expect(await idsOf('products', keys.reader, 'ids[]=tea&ids%5B%5D=coffee&ids=nobody')).toEqual(once);
  const { headers } = await list('ids[]=tea&search[]=tea&ids[0]=tea');
  expect(headers['x-ignored-parameters']).toBe('search%5B%5D, ids%5B0%5D');
  const many = Array.from({ length: 101 }, (_, index) => `ids[]=i${index}`).join('&');
  expect((await list(many)).json.errors).toMatchObject([{ path: 'ids', code: 'max_items' }]);
});

describe('a repeated parameter', () => {
  const every = [
    'search',
    'q',
    'categoryId',
    'categorySlug',
    'published',
    'soldout',
    'minPrice',
    'maxPrice',
    'slug',
    'sortBy',
    'sortOrder',
    'page',
    'limit',
    'includeCmsData',
  ];

  it.each(every)('is refused: %s, even with equal or empty values (400)', async (name) => {
    const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
    for (const query of [
      `${name}=1&${name}=true`,
      `${name}=1&${name}=1`,
      `${name}=&${name}=`,
      `${name}=&${escaped}=1`,
    ]) {
      const { status, json } = await list(query);
      expect([status, json.code]).toEqual([400, 'invalid_query']);
      expect(json.errors).toEqual([{ path: name, code: 'repeated', message: expect.stringContaining(name) }]);
    }
  });

  it.each(every)('%s counts as absent when it is empty', async (name) => {
    const empty = await list(`${name}=`);
    const absent = await list('');
    expect([empty.status, empty.text]).toEqual([200, absent.text]);
    expect((await list(name)).text).toBe(absent.text);
  });
});

describe('an unknown parameter', () => {
  it.each([
    'other=1',
    'other=1&other=2',
    'Search=tea',
    'Limit=1',
    'limit[]=1',
    'ids[0]=tea',
    'offset=20',
    'includeProducts=x',
    '__proto__=1',
    'constructor=x',
    'toString=1',
    'order=asc',
    'price=1',
    '%FF=%FF',
    '=',
    'a'.repeat(3_000),
  ])('has no effect: %s', async (query) => {
    const other = await list(query);
    const none = await list('');
    expect([other.status, other.text]).toEqual([200, none.text]);
  });
});

describe('the defaults of the list of products', () => {
  it.each([
    'published=true',
    'sortBy=createdAt',
    'sortOrder=desc',
    'page=1',
    'limit=20',
    'includeCmsData=true',
    'published=true&sortBy=createdAt&sortOrder=desc&page=1&limit=20&includeCmsData=true',
  ])('are %s', async (query) => {
    expect((await list(query)).text).toBe((await list('')).text);
  });

  it('show the 20 newest published products', async () => {
    const { data, pagination } = await pageOf('products', keys.chief);
    const newest = Array.from({ length: 19 }, (_, index) => `p${21 - index}`);
    expect(data.map(({ id }) => id)).toEqual(['tea', ...newest]);
    expect(pagination).toEqual({ page: 1, limit: 20, total: 23, totalPages: 2, hasMore: true });
  });

  it.each([
    ['limit=1', 1],
    ['limit=100', 23],
  ])('accept %s', async (query, count) => {
    expect(await idsOf('products', keys.reader, query)).toHaveLength(count);
  });
});
