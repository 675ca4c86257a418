import { describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { handler as categories } from '#functions/menu-categories-list/handler.ts';
import { handler as products } from '#functions/menu-products-list/handler.ts';
import type { ApiEvent } from '#lib/http/request-state.ts';
import { httpApiEvent } from '#lib/local/event.ts';
import { call } from '#test/support/call.ts';
import { ageState } from '#test/support/old-log.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const contactForm = { id: 'form_1', slug: 'contact', title: { en: 'Contact' }, fields: [] };
const openShop = () =>
  openWorkspace('kitchen', (document) => {
    document.forms = [contactForm];
  });

const kitchen = await openShop();
const { reader, chief, cmsOnly } = kitchen.keys;

const addresses = (key: string) => [
  `/api/public/cms/chefs/list?apiKey=${key}`,
  `/api/public/menu/products?apiKey=${key}`,
  `/api/public/menu/products?includeCmsData=false&apiKey=${key}`,
  `/api/public/menu/categories?includeProducts=true&apiKey=${key}`,
  `/api/public/forms/contact?apiKey=${key}`,
];

const get = (address: string, ifNoneMatch?: string, method = 'GET') =>
  call(`${method} ${address}`, { headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch } });
const tagOf = async (address: string) => (await get(address)).headers['etag'] ?? '';

describe.each(addresses(reader))('GET %s', (address) => {
  it('has a strong ETag that stays without changes, and only its caller may keep the answer', async () => {
    const { headers } = await get(address);
    expect(headers['etag']).toMatch(/^"[\w-]{20,}"$/);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(await tagOf(address)).toBe(headers['etag']);
  });

  it.each<[string, (tag: string) => string]>([
    ['the ETag', (tag) => tag],
    ['the ETag in its weak form', (tag) => `W/${tag}`],
    ['the ETag among others', (tag) => `"one, two",W/"three" , ${tag}`],
    ['any', () => '*'],
    ['any, with blanks', () => ' * '],
  ])('is 304 without a body for %s', async (_, ifNoneMatch) => {
    const tag = await tagOf(address);
    for (const method of ['GET', 'HEAD']) {
      const { status, text, headers } = await get(address, ifNoneMatch(tag), method);
      const held = ifNoneMatch(tag).startsWith('W/') ? `W/${tag}` : tag;
      expect([status, text, headers['etag']]).toEqual([304, '', held]);
      expect(headers['cache-control']).toBe('private, no-cache');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers).not.toHaveProperty('content-type');
      expect(headers).not.toHaveProperty('content-length');
    }
  });

  it.each<[string, (tag: string) => string]>([
    ['another ETag', () => '"another"'],
    ['a part of the ETag', (tag) => `${tag.slice(0, 10)}"`],
    ['the ETag without quotes', (tag) => tag.slice(1, -1)],
    ['the ETag inside another', (tag) => `"x${tag.slice(1)}`],
    ['nothing', () => ''],
    ['a star in quotes', () => '"*"'],
    ['4,001 quotes', () => '"'.repeat(4_001)],
  ])('is 200 for %s', async (_, ifNoneMatch) => {
    const { status, text } = await get(address, ifNoneMatch(await tagOf(address)));
    expect([status, text]).toEqual([200, (await get(address)).text]);
  });

  it('is answered with an error before 304', async () => {
    expect((await get(address.replace(reader, 'x'.repeat(20)), '*')).status).toBe(401);
    expect((await get(address.replace(reader, kitchen.keys.powerless), '*')).status).toBe(403);
  });
});

describe('the ETag of a list', () => {
  it('differs for another query, another view and another workspace', async () => {
    const other = await openShop();
    const views = [...addresses(reader), ...addresses(chief), ...addresses(other.keys.reader)];
    const queried = addresses(reader).map((address) => `${address}&limit=1&offset=1&page=2&maxDepth=1`);
    const tags = await Promise.all([...views, ...queried.slice(0, 4)].map(tagOf));
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('differs for a key that sees cmsData and one that does not', async () => {
    const products = `/api/public/menu/products?apiKey=${reader}`;
    expect((await get(products, await tagOf(products))).status).toBe(304);
    expect((await get(`/api/public/menu/products?apiKey=${cmsOnly}`, '*')).status).toBe(403);
  });

  it('lists the headers of the API key in Vary, unless the key is in the query', async () => {
    const answer = await call('GET /api/public/cms/chefs/list', { key: reader });
    expect(answer.headers['vary']).toBe('Authorization, X-Api-Key, Accept-Encoding');
    const unchanged = await call('GET /api/public/cms/chefs/list', {
      key: reader,
      headers: { 'if-none-match': answer.headers['etag'] ?? '' },
    });
    expect([unchanged.status, unchanged.headers['vary']]).toEqual([304, 'Authorization, X-Api-Key, Accept-Encoding']);
    expect((await get(`/api/public/menu/categories?apiKey=${reader}`)).headers).toMatchObject({
      vary: 'Accept-Encoding',
    });
  });

  it('the ETag of an entry names its version only and causes no 304, because related records may have changed', async () => {
    const entry = `/api/public/cms/chefs/chef_5?apiKey=${reader}`;
    expect((await get(entry, await tagOf(entry))).status).toBe(200);
  });
});

describe('a change', () => {
  it('changes the ETag of every answer that shows it, immediately', async () => {
    const shop = await openShop();
    const key = shop.keys.chief;
    const [entries = '', products = '', plain = '', categories = '', form = ''] = addresses(key);
    const all = [entries, products, plain, categories, form];
    const changedSince = async (tags: readonly string[]) => {
      const answers = await Promise.all(all.map((address, index) => get(address, tags[index])));
      return answers.map(({ status }) => status === 200);
    };

    const before = await Promise.all(all.map(tagOf));
    const body = { values: { bio: { en: 'Changed' } } };
    expect((await call('PATCH /api/public/cms/chefs/chef_5', { key, body })).status).toBe(200);
    expect(await changedSince(before)).toEqual([true, true, false, false, false]);

    const between = await Promise.all(all.map(tagOf));
    const { document } = shop;
    document.menu.products[0].name.en = 'Changed';
    document.forms[0].title.en = 'Changed';
    await load({ version: 1, workspace: document.workspace, menu: document.menu, forms: document.forms });
    expect(await changedSince(between)).toEqual([true, true, true, true, true]);
  });
});

describe('304 for a menu list', () => {
  const lists: [string, typeof products][] = [
    ['products', products],
    ['products?includeCmsData=false&', products],
    ['categories?includeProducts=true&', categories],
  ];

  it.each(lists)('%s costs one call of one unit, which reads the log', async (list, handler) => {
    const ask = async (ifNoneMatch = '') => {
      const event = httpApiEvent({
        method: 'GET',
        url: `/api/public/menu/${list}${list.endsWith('&') ? '' : '?'}apiKey=${reader}`,
        headers: [['if-none-match', ifNoneMatch]],
        body: Buffer.alloc(0),
        sourceIp: '127.0.0.1',
        requestId: 'one',
        routeKey: '$default',
      }) as ApiEvent;
      const context = { awsRequestId: 'one', getRemainingTimeInMillis: () => 600_000 } as Context;
      const result: APIGatewayProxyStructuredResultV2 = await handler(event, context);
      return { result, meter: event.state.meter };
    };
    await ageState(kitchen.workspaceId);
    const etag = String((await ask()).result.headers?.['etag']);
    const { result, meter } = await ask(etag);
    expect([result.statusCode, result.body]).toEqual([304, undefined]);
    expect(meter).toMatchObject({ calls: { Query: 1 }, readUnits: 1 });
  });

  it('is not answered for * where the request would be refused', async () => {
    const answer = await get(`/api/public/menu/products?published=false&apiKey=${reader}`, '*');
    expect(answer.status).toBe(403);
  });
});
