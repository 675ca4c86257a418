import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { prefersGzip } from '#lib/http/accept-encoding.ts';
import { call } from '#test/support/call.ts';
import { type Kitchen, openKitchen } from '#test/support/kitchen.ts';

let kitchen: Kitchen;
beforeAll(async () => {
  kitchen = await openKitchen(({ menu, cms }) => {
    const [first] = menu.products;
    for (let number = 1; number <= 100; number++) {
      menu.products.push({ ...structuredClone(first), id: `many_${number}`, slug: `many-${number}`, barcode: null });
    }
    for (let number = 1; number <= 30; number++) {
      cms.entries.push({ id: `chef_more_${number}`, modelId: 'chefs', values: { name: { en: `Chef ${number}` } } });
    }
  });
});

const gzip = { 'accept-encoding': 'gzip, deflate, br' };
const compressed = (request: string) => call(request, { key: kitchen.keys.reader, headers: gzip });
const products = () => `GET /api/public/menu/products?limit=100&apiKey=${kitchen.keys.reader}`;
const list = 'GET /api/public/cms/chefs/list?limit=100';

describe('a JSON answer from 1 KB', () => {
  it('is compressed for a client that takes gzip, to at most an eighth for 100 products', async () => {
    const plain = await call(products());
    const { bytes, headers } = await compressed(products());
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringContaining('Accept-Encoding') });
    expect(plain.headers['vary']).toContain('Accept-Encoding');
    expect(gunzipSync(bytes)).toEqual(plain.bytes);
    expect(bytes.length).toBeLessThanOrEqual(plain.bytes.length / 8);
  });

  it('has a weak tag then, and If-None-Match takes the tag of either form', async () => {
    const plain = await call(list, { key: kitchen.keys.reader });
    const zipped = await compressed(list);
    expect(zipped.headers['etag']).toBe(`W/${plain.headers['etag']}`);
    for (const tag of [plain.headers['etag'], zipped.headers['etag']] as string[]) {
      for (const encoding of [{}, gzip]) {
        const headers = { ...encoding, 'if-none-match': tag };
        const { status, text, headers: sent } = await call(list, { key: kitchen.keys.reader, headers });
        expect([status, text]).toEqual([304, '']);
        expect(sent['vary']).toContain('Accept-Encoding');
      }
    }
  });

  it('of one entry keeps its strong tag, which serves If-Match', async () => {
    const values = { name: { en: 'A'.repeat(3_000) } };
    const key = kitchen.keys.editor;
    expect((await call('PATCH /api/public/cms/chefs/chef_1', { key, body: { values } })).status).toBe(200);
    const { headers } = await compressed('GET /api/public/cms/chefs/chef_1');
    expect(headers['etag']).toMatch(/^"/);
    const conditional = { 'if-match': headers['etag'] ?? '' };
    const update = { key, headers: conditional, body: { values: { name: { en: 'B' } } } };
    expect((await call('PATCH /api/public/cms/chefs/chef_1', update)).status).toBe(200);
    expect((await call('PATCH /api/public/cms/chefs/chef_1', update)).status).toBe(412);
  });

  it('has the length of its compressed form for HEAD', async () => {
    const { bytes } = await compressed(list);
    const { headers, text } = await call(list.replace('GET', 'HEAD'), { key: kitchen.keys.reader, headers: gzip });
    expect(Number(headers['content-length'])).toBe(bytes.length);
    expect(headers['content-encoding']).toBe('gzip');
    expect(text).toBe('');
  });

  it('stays as it is below 1 KB, and for clients that do not want gzip', async () => {
    const small = await call(`${list.replace('100', '1')}&fields=id`, { key: kitchen.keys.reader, headers: gzip });
    expect(small.headers['content-encoding']).toBeUndefined();
    expect(small.headers['vary']).toContain('Accept-Encoding');
    for (const encoding of ['', 'br', 'gzip;q=0', 'identity', 'gzip;q=0.5, identity']) {
      const headers = { 'accept-encoding': encoding };
      const answer = await call(list, { key: kitchen.keys.reader, headers });
      expect(answer.headers['content-encoding']).toBeUndefined();
    }
  });
});

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['x-gzip', true],
  ['*', true],
  ['br, *;q=0.1', true],
  ['*;q=0', false],
  ['gzip;q=0', false],
  ['gzip;q=0.000', false],
  ['gzip;q=0.001', true],
  ['gzip; q=1.0', true],
  ['gzip;q=2', false],
  ['gzip;q=', false],
  ['identity;q=0, gzip;q=0.2', true],
  ['identity;q=0.9, gzip;q=0.2', false],
  ['notgzip', false],
])('prefers gzip: %j is %s', (header, expected) => {
  expect(prefersGzip(header)).toBe(expected);
});
