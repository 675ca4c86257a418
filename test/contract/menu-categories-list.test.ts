import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import {
  callList,
  documentOf,
  idsOf,
  malformedPages,
  pageOf,
  product,
  type Query,
  timeAtSecond,
  withProducts,
} from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const address = '/api/public/menu/categories';
const image = (id: string, rest: object = {}) => ({ id, url: `https://img.example/${id}.png`, ...rest });
const bareImage = (id: string) => image(id, { alt: null, width: null, height: null });
const category = (id: string, rest: object = {}) => ({
  id,
  slug: id,
  name: { en: id },
  createdAt: timeAtSecond(0),
  updatedAt: timeAtSecond(0),
  ...rest,
});
const drinks = {
  id: 'drinks',
  slug: 'مشروبات',
  name: { en: 'Hot Drinks', ar: 'مشروبات ساخِنة' },
  description: { en: 'All "hot"' },
  thumbnail: image('img_1', { alt: { en: 'Tea' }, width: 64, height: 48 }),
  smallThumbnail: image('img_2'),
  showcase: image('img_3'),
  createdAt: timeAtSecond(3),
  updatedAt: timeAtSecond(1),
};
const priceOptions = [{ id: 'po_1', price: 4.5, name: { en: 'Cup' }, default: true, barcode: null }];

const kitchen = await openWorkspace(
  'kitchen',
  withProducts(
    [
      product('tea', {
        categoryId: 'drinks',
        createdAt: timeAtSecond(1),
        priceOptions,
        intro: { en: 'x' },
        barcode: '1',
      }),
      product('b', { categoryId: 'drinks', createdAt: timeAtSecond(2), soldout: true }),
      product('a', { categoryId: 'drinks', createdAt: timeAtSecond(2) }),
      product('draft', { categoryId: 'drinks', published: false }),
      product('cake', { categoryId: 'sweets' }),
      product('hidden', { categoryId: 'secret', published: false }),
    ],
    ({ menu, apiKeys }) => {
      menu.categories = [
        category('Sweets', { slug: 'Z', name: { ar: 'حلويات' }, updatedAt: timeAtSecond(3) }),
        drinks,
        category('sweets', { name: { en: 'crème' }, createdAt: timeAtSecond(1), updatedAt: timeAtSecond(2) }),
        category('secret', { slug: 'a', createdAt: timeAtSecond(2) }),
        category('empty', { slug: '𐐀', name: { en: 'Äpfel' } }),
      ];
      for (const permission of ['menu:category:read', 'menu:product:read']) {
        apiKeys.push({
          ...apiKeys[0],
          id: permission,
          secret: `${permission}-${apiKeys[0].secret}`,
          permissions: [permission],
        });
      }
    },
  ),
);
const { keys, workspaceId } = kitchen;
const keyWith = (permission: string) => `${permission}-reader-${workspaceId}`;
const ids = (query: Query = '') => idsOf('categories', keys.reader, query);
const only = async (query: string, key = keys.reader) => (await pageOf('categories', key, query)).data[0];
const list = (query: string) => callList('categories', keys.reader, query);

describe('the list of menu categories', () => {
  it('answers a page of categories and its position (200)', async () => {
    const { status, headers, json } = await list('');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(json)).toEqual(['data', 'pagination']);
    expect(json.pagination).toEqual({ page: 1, limit: 20, total: 5, totalPages: 1, hasMore: false });
    const { data, pagination } = await pageOf('categories', keys.reader, 'ids=nobody');
    expect([data, pagination]).toEqual([[], { page: 1, limit: 20, total: 0, totalPages: 0, hasMore: false }]);
  });

  it('shows every member of a category, and its number of published products', async () => {
    expect(await only('ids=drinks')).toEqual({
      ...drinks,
      smallThumbnail: bareImage('img_2'),
      showcase: bareImage('img_3'),
      productsCount: 3,
    });
  });

  it('shows null for absent members, and counts published products only, for every caller', async () => {
    for (const key of [keys.reader, keys.chief, keyWith('menu:category:read')]) {
      expect(await only('ids=secret', key)).toEqual({
        id: 'secret',
        slug: 'a',
        name: { en: 'secret' },
        description: null,
        thumbnail: null,
        smallThumbnail: null,
        showcase: null,
        productsCount: 0,
        createdAt: timeAtSecond(2),
        updatedAt: timeAtSecond(0),
      });
    }
  });

  it('answers HEAD like GET, without the body', async () => {
    const get = await list('includeProducts=true');
    const head = await callList('categories', keys.reader, 'includeProducts=true', 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
  });
});

describe('includeProducts=true', () => {
  it('shows the published products, in the default order of the product list, with six members each', async () => {
    for (const key of [keys.reader, keys.chief]) {
      const { products, productsCount } = await only('ids=drinks&includeProducts=true', key);
      expect(products.map(({ id }: { id: string }) => id)).toEqual(['b', 'a', 'tea']);
      expect(products.map(({ id }: { id: string }) => id)).toEqual(await idsOf('products', key, 'categoryId=drinks'));
      expect(products[0]).toMatchObject({ id: 'b', soldout: true });
      expect(products[2]).toEqual({
        id: 'tea',
        slug: 'tea',
        name: { en: 'tea' },
        priceOptions,
        published: true,
        soldout: false,
      });
      expect(productsCount).toBe(3);
    }
  });

  it('shows an empty list for a category without products', async () => {
    for (const id of ['empty', 'secret', 'Sweets']) {
      expect(await only(`ids=${id}&includeProducts=true`)).toMatchObject({ products: [], productsCount: 0 });
    }
  });

  it.each(['', 'includeProducts=false', 'includeProducts='])('leaves out products with "%s"', async (query) => {
    const { data } = await pageOf('categories', keys.chief, query);
    expect(data.filter((each) => 'products' in each)).toEqual([]);
  });

  it('requires menu:product:read, which the list without products does not (403)', async () => {
    const key = keyWith('menu:category:read');
    expect((await pageOf('categories', key, 'includeProducts=false')).data).toHaveLength(5);
    const { status, json } = await callList('categories', key, 'includeProducts=true&ids=nobody');
    expect(status).toBe(403);
    expect(json).toEqual({ code: 'permission_denied', message: expect.stringContaining('menu:product:read') });
  });
});

describe('a search, slug and ids', () => {
  it.each<[Query, string[]]>([
    ['', ['Sweets', 'drinks', 'empty', 'secret', 'sweets']],
    ['search=hot%20DRINK', ['drinks']],
    [{ search: 'ساخنه hot' }, ['drinks']],
    ['search=CREME', ['sweets']],
    ['search=nowhere', []],
    ['search=%20&q=hot', ['Sweets', 'drinks', 'empty', 'secret', 'sweets']],
    [{ slug: drinks.slug }, ['drinks']],
    ['slug=sweets', ['sweets']],
    ['slug=a', ['secret']],
    ['slug=drinks', []],
    ['ids=drinks,%20sweets,,nobody,drinks', ['drinks', 'sweets']],
    ['ids=drinks&ids=sweets&ids=nobody,drinks&ids=', ['drinks', 'sweets']],
    ['ids=nobody', []],
    ['ids=drinks&slug=sweets', []],
    ['ids=drinks,sweets&search=hot', ['drinks']],
  ])('%j', async (query, found) => expect((await ids(query)).sort()).toEqual(found));
});

describe('sorts and pages', () => {
  it.each<[string, string[]]>([
    ['createdAt', ['Sweets', 'empty', 'sweets', 'secret', 'drinks']],
    ['updatedAt', ['empty', 'secret', 'drinks', 'sweets', 'Sweets']],
    ['slug', ['Sweets', 'secret', 'sweets', 'drinks', 'empty']],
    ['name', ['empty', 'sweets', 'drinks', 'secret', 'Sweets']],
  ])('by %s, in both directions, and every page is a part of the whole list', async (sortBy, order) => {
    expect(await ids({ sortBy, sortOrder: 'asc' })).toEqual(order);
    expect(await ids({ sortBy })).toEqual(order.toReversed());
    if (sortBy === 'createdAt') expect(await ids()).toEqual(order.toReversed());
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => pageOf('categories', keys.reader, { sortBy, limit: 2, page })),
    );
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(order.toReversed());
    expect(pages.map(({ pagination }) => pagination)).toEqual(
      [true, true, false, false].map((hasMore, index) => ({
        page: index + 1,
        limit: 2,
        total: 5,
        totalPages: 3,
        hasMore,
      })),
    );
  });
});

describe('400', () => {
  it.each([...malformedPages, ['includeProducts=1', 'includeProducts'], ['includeProducts=TRUE', 'includeProducts']])(
    'the malformed %s is 400',
    async (query, path) => {
      const { status, json } = await list(query);
      expect([status, json.code]).toEqual([400, 'invalid_query']);
      expect(json.errors).toEqual([{ path, code: expect.any(String), message: expect.stringContaining(path) }]);
    },
  );

  it.each(['search', 'slug', 'sortBy', 'sortOrder', 'page', 'limit', 'includeProducts'])(
    'a repeated %s is 400',
    async (name) => {
      const { status, json } = await list(`${name}=&${name}=true`);
      expect([status, json.errors]).toEqual([400, [{ path: name, code: 'repeated', message: expect.any(String) }]]);
      expect((await list(`${name}=`)).text).toBe((await list('published=x&categoryId=x&includeCmsData=x')).text);
    },
  );

  it('a request for 101 ids is 400, but not one for 100', async () => {
    const many = Array.from({ length: 99 }, (_, index) => `nobody_${index}`);
    expect(await ids(`ids=${many},drinks`)).toEqual(['drinks']);
    expect(await list(`ids=${many},drinks,sweets`)).toMatchObject({ status: 400, json: { errors: [{ path: 'ids' }] } });
  });
});

describe('a request with several reasons for refusal is answered with the first:', () => {
  it.each<[number, string, string]>([
    [404, 'not_found', `POST ${address}/?page=0`],
    [405, 'method_not_allowed', `POST ${address}?page=0`],
    [401, 'missing_api_key', `GET ${address}?page=0`],
    [401, 'invalid_api_key', `GET ${address}?page=0&apiKey=${keys.reader}&apiKey=${keys.reader}`],
    [403, 'permission_denied', `GET ${address}?page=0&apiKey=${keyWith('menu:product:read')}`],
    [400, 'invalid_query', `GET ${address}?page=0&includeProducts=true&apiKey=${keyWith('menu:category:read')}`],
    [403, 'permission_denied', `GET ${address}?page=1&includeProducts=true&apiKey=${keyWith('menu:category:read')}`],
  ])('%d %s', async (status, code, request) => {
    for (const headers of [undefined, { authorization: `Bearer ${keys.reader}`, 'x-api-key': keys.reader }]) {
      const answer = await call(request, { headers });
      expect([answer.status, answer.json.code]).toEqual([status, code]);
      if (code === 'missing_api_key') expect(answer.json.message).toMatch(/\bapiKey\b.*\bquery parameter\b/);
    }
  });
});

describe('more products than an answer may have', () => {
  it('are refused with the parameters to lower (400), and accepted without includeProducts (200)', async () => {
    const products = Array.from({ length: 40 }, (_, index) =>
      product(`large_${index}`, { categoryId: index < 3 ? 'empty' : 'secret', name: { en: 'x'.repeat(150_000) } }),
    );
    await load(documentOf(kitchen, { menu: { products } }));
    const message = expect.stringMatching(/\blower limit\b.*\bincludeProducts=false\b/);
    for (const query of ['', 'limit=100', 'ids=empty,secret', 'ids=secret']) {
      const { status, json } = await list(`includeProducts=true&${query}`);
      expect(status).toBe(400);
      expect(json).toEqual({
        code: 'response_too_large',
        message,
        errors: [{ path: 'limit', code: 'too_large', message }],
      });
    }
    expect((await only('includeProducts=true&ids=empty')).products).toHaveLength(3);
    expect((await only('ids=secret')).productsCount).toBe(37);
  });
});
