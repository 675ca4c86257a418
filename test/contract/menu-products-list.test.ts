import { describe, expect, it } from '@jest/globals';
import { withoutRequestId } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { callList, idsOf, pageOf, product, timeAtSecond, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const address = '/api/public/menu/products';
const image = (id: string, rest: object = {}) => ({ id, url: `https://img.example/${id}.png`, ...rest });
const option = (id: string, order: number) => ({ id, name: { en: id }, price: 0.125, order });
const optionSet = (id: string, order: number, options: object[]) => ({ id, name: { en: id }, order, options });

const full = product('full', {
  slug: 'كبسة-لحم',
  barcode: '6291041500213',
  name: { ar: 'كبسة "لحم"', en: 'Lamb kabsa \\ 🍋' },
  intro: { en: 'Rice' },
  description: { en: 'Rice\nand lamb', ar: '' },
  priceOptions: [
    { id: 'po_2', price: 72.5, name: { en: 'Family' }, default: true, barcode: null },
    { id: 'po_1', price: 48 },
  ],
  thumbnail: image('img_1', { alt: { en: 'Kabsa' }, width: 640, height: 480 }),
  images: [image('img_3'), image('img_2')],
  soldout: true,
  preparationTime: 25.5,
  nutritionFacts: { servingSize: '350 g', calories: 0, protein: 31.5, allergens: ['nuts'], dietary: ['halal'] },
  suggestions: ['draft', 'tea', 'gone', 'bare', 'full'],
  optionSets: [
    { ...optionSet('third', 3, [option('e', 1)]), required: true, min: 1, max: 2, allowDuplicates: true },
    optionSet('first', -1, [option('c', 10), option('b', 9), option('a', 10)]),
    optionSet('second', 2.5, [{ ...option('d', 0), default: true, soldout: true, maxQuantity: 3 }]),
  ],
  createdAt: timeAtSecond(2),
  updatedAt: timeAtSecond(9),
});
const { keys } = await openWorkspace(
  'kitchen',
  withProducts([
    full,
    product('bare', { name: { en: 'Bare' }, createdAt: timeAtSecond(1) }),
    product('tea', { name: { en: 'Tea', ar: 'شاي' } }),
    product('draft', { published: false, suggestions: ['tea', 'full', 'draft'] }),
  ]),
);
const only = async (query: string, key = keys.chief) => (await pageOf('products', key, query)).data[0];

describe('the list of menu products', () => {
  it('answers a page of products and its position (200)', async () => {
    const { status, headers, json } = await callList('products', keys.reader);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(json)).toEqual(['data', 'pagination']);
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(['full', 'bare', 'tea']);
    expect(json.pagination).toEqual({ page: 1, limit: 20, total: 3, totalPages: 1, hasMore: false });
  });

  it('shows null and empty lists for absent values', async () => {
    const { category, ...own } = await only('ids=bare');
    expect(category).toMatchObject({ id: 'cat_1' });
    expect(own).toEqual({
      id: 'bare',
      slug: 'bare',
      barcode: null,
      name: { en: 'Bare' },
      intro: null,
      description: null,
      priceOptions: [],
      thumbnail: null,
      images: [],
      published: true,
      soldout: false,
      preparationTime: null,
      nutritionFacts: null,
      suggestions: [],
      optionSets: [],
      cmsData: {},
      createdAt: timeAtSecond(1),
      updatedAt: timeAtSecond(0),
    });
  });

  it('shows every member of a product as stored', async () => {
    const { categoryId, suggestions, optionSets, images, thumbnail, nutritionFacts, ...same } = full as never as Record<
      string,
      object
    >;
    expect(await only('ids=full')).toMatchObject({
      ...same,
      published: true,
      thumbnail: { id: 'img_1', url: 'https://img.example/img_1.png', alt: { en: 'Kabsa' }, width: 640, height: 480 },
      images: ['img_3', 'img_2'].map((id) => image(id, { alt: null, width: null, height: null })),
      nutritionFacts: {
        servingSize: '350 g',
        calories: 0,
        protein: 31.5,
        carbohydrates: null,
        fat: null,
        sugar: null,
        sodium: null,
        allergens: ['nuts'],
        dietary: ['halal'],
      },
    });
  });

  it('shows option sets and their options in order, ties as stored', async () => {
    const { optionSets } = await only('ids=full');
    expect(
      optionSets.map(({ id, options }: { id: string; options: { id: string }[] }) => [id, options.length]),
    ).toEqual([
      ['first', 3],
      ['second', 1],
      ['third', 1],
    ]);
    const [first, second, third] = optionSets;
    const plain = { price: 0.125, default: false, soldout: false, maxQuantity: null };
    expect(first).toEqual({
      id: 'first',
      name: { en: 'first' },
      required: false,
      min: 0,
      max: null,
      allowDuplicates: false,
      order: -1,
      options: [
        { ...plain, id: 'b', name: { en: 'b' }, order: 9 },
        { ...plain, id: 'c', name: { en: 'c' }, order: 10 },
        { ...plain, id: 'a', name: { en: 'a' }, order: 10 },
      ],
    });
    expect(second.options[0]).toMatchObject({ default: true, soldout: true, maxQuantity: 3 });
    expect(third).toMatchObject({ required: true, min: 1, max: 2, allowDuplicates: true });
  });

  it.each(['reader', 'chief'] as const)('shows to a %s published suggestions only, in order', async (name) => {
    const { suggestions } = await only('ids=full', keys[name]);
    expect(suggestions).toEqual([
      { id: 'tea', slug: 'tea', name: { en: 'Tea', ar: 'شاي' } },
      { id: 'bare', slug: 'bare', name: { en: 'Bare' } },
      { id: 'full', slug: full.slug, name: full.name },
    ]);
  });

  it('shows published suggestions only, even of an unpublished product', async () => {
    const { suggestions } = await only('published=false');
    expect(suggestions.map(({ id }: { id: string }) => id)).toEqual(['tea', 'full']);
  });

  it('shows the category with id, slug and name', async () => {
    const { category } = await only('ids=tea');
    expect(Object.keys(category).sort()).toEqual(['id', 'name', 'slug']);
    expect(category).toMatchObject({ id: 'cat_1', slug: 'mains', name: { en: expect.stringContaining('Mains') } });
  });

  it('is empty in a workspace without products', async () => {
    const empty = await openWorkspace(
      'kitchen',
      withProducts([], ({ menu, cms }) => {
        menu.categories = [];
        cms.models = [];
        cms.entries = [];
      }),
    );
    expect(await pageOf('products', empty.keys.reader)).toEqual({
      data: [],
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0, hasMore: false },
    });
  });
});

describe('HEAD', () => {
  it.each(['', 'ids=full', 'ids=nobody', 'page=9'])('answers like GET, without the body: %s', async (query) => {
    const get = await callList('products', keys.reader, query);
    const head = await callList('products', keys.reader, query, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
  });

  it.each([
    [400, 'page=0'],
    [403, 'published=false'],
  ])('%d without a body for %s', async (status, query) => {
    expect(await callList('products', keys.reader, query, 'HEAD')).toMatchObject({ status, text: '' });
  });
});

describe('the API key', () => {
  const bearer = { authorization: `Bearer ${keys.reader}` };

  it.each<[string, Record<string, string>]>([
    ['as a bearer token', bearer],
    ['in x-api-key', { 'x-api-key': keys.reader }],
    ['in both headers', { ...bearer, 'x-api-key': keys.reader }],
    ['nowhere', {}],
  ])('401 %s only, with a message that names the parameter', async (_, headers) => {
    for (const query of ['', '?apiKey=', '?apikey=x', '?page=0']) {
      const answer = await call(`GET ${address}${query}`, { headers });
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
      expect(answer.json).toEqual({
        code: 'missing_api_key',
        message: expect.stringMatching(/\bapiKey\b.*\bquery parameter\b/),
      });
    }
  });

  it.each<[string, Record<string, string>]>([
    ['the same key', bearer],
    ['another key', { authorization: `Bearer ${keys.powerless}`, 'x-api-key': keys.revoked }],
    ['nonsense', { authorization: 'Bearer', 'x-api-key': 'x' }],
  ])('200 in the query beside %s in the headers', async (_, headers) => {
    const answer = await call(`GET ${address}?apiKey=${keys.reader}`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe((await callList('products', keys.reader)).text);
  });

  it.each([
    ['twice', `apiKey=${keys.reader}&apiKey=${keys.chief}`],
    ['twice, the same', `apiKey=${keys.reader}&apiKey=${keys.reader}`],
    ['twice, once escaped', `apiKey=${keys.reader}&api%4Bey=${keys.reader}`],
    ['that is unknown', 'apiKey=nobody-has-ever-had-this-key'],
    ['that is expired', `apiKey=${keys.expired}`],
    ['that is revoked', `apiKey=${keys.revoked}`],
    ['of an inactive member', `apiKey=${keys.formerMember}`],
  ])('401 %s, with the same answer for all', async (_, query) => {
    const answer = await call(`GET ${address}?${query}`);
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(answer.json).toEqual({ code: 'invalid_api_key', message: expect.any(String) });
    expect(withoutRequestId(answer)).toEqual(withoutRequestId(await call(`GET ${address}?apiKey=x`)));
  });
});

describe('a request with several reasons for refusal is answered with the first:', () => {
  const malformed = 'page=0&published=false&limit=1&limit=2';
  it.each<[number, string, string]>([
    [404, 'not_found', `POST ${address}/?${malformed}`],
    [405, 'method_not_allowed', `POST ${address}?${malformed}`],
    [401, 'missing_api_key', `GET ${address}?${malformed}`],
    [401, 'invalid_api_key', `GET ${address}?${malformed}&apiKey=x`],
    [403, 'permission_denied', `GET ${address}?${malformed}&apiKey=${keys.powerless}`],
    [403, 'permission_denied', `GET ${address}?${malformed}&apiKey=${keys.cmsOnly}`],
    [400, 'invalid_query', `GET ${address}?${malformed}&apiKey=${keys.reader}`],
    [403, 'permission_denied', `GET ${address}?page=1&published=false&apiKey=${keys.reader}`],
  ])('%d %s: %s', async (status, code, request) => {
    const { headers, ...answer } = await call(request);
    expect({ status: answer.status, code: answer.json.code }).toEqual({ status, code });
    expect(Object.keys(answer.json)).toEqual(status === 400 ? ['message', 'code', 'errors'] : ['message', 'code']);
    if (status === 405) expect(headers['allow']).toBe('GET, HEAD');
  });
});

describe('403 names the permission', () => {
  it.each([
    ['menu:product:read', 'powerless', ''],
    ['menu:product:read', 'cmsOnly', 'published=false'],
    ['menu:product:read-unpublished', 'reader', 'published=false'],
    ['menu:product:read-unpublished', 'editor', 'published=false&ids=nobody'],
  ] as const)('%s for a %s key: %s', async (permission, name, query) => {
    const { status, json } = await callList('products', keys[name], query);
    expect(status).toBe(403);
    expect(json).toEqual({
      code: 'permission_denied',
      message: expect.stringMatching(new RegExp(`${permission}\\b[^-]`)),
    });
  });

  it('only unpublished products need the permission', async () => {
    expect(await idsOf('products', keys.reader, 'published=true')).toEqual(['full', 'bare', 'tea']);
    expect(await idsOf('products', keys.chief, 'published=false')).toEqual(['draft']);
    expect(await idsOf('products', keys.chief)).toEqual(['full', 'bare', 'tea']);
  });
});
