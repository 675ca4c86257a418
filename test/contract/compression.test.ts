import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { preferredCoding } from '#lib/http/compress.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

let kitchen: Workspace;
beforeAll(async () => {
  kitchen = await openWorkspace('kitchen', ({ menu, cms }) => {
    const [first] = menu.products;
    for (let number = 1; number <= 100; number++) {
      menu.products.push({ ...structuredClone(first), id: `many_${number}`, slug: `many-${number}`, barcode: null });
    }
    for (let number = 1; number <= 30; number++) {
      cms.entries.push({ id: `chef_more_${number}`, modelId: 'chefs', values: { name: { en: `Chef ${number}` } } });
    }
  });
});

const gzip = { 'accept-encoding': 'gzip, deflate' };
const compressed = (request: string) => call(request, { key: kitchen.keys.reader, headers: gzip });
const products = () => `GET /api/public/menu/products?limit=100&apiKey=${kitchen.keys.reader}`;
const list = 'GET /api/public/cms/chefs/list?limit=100';

describe('a JSON answer from 1 KB', () => {
  it('is compressed for a client that accepts gzip', async () => {
    const plain = await call(products());
    const { bytes, headers } = await compressed(products());
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringContaining('Accept-Encoding') });
    expect(plain.headers['vary']).toContain('Accept-Encoding');
    expect(gunzipSync(bytes)).toEqual(plain.bytes);
    expect(bytes.length).toBeLessThanOrEqual(plain.bytes.length / 8);
  });

  it('is compressed by Brotli for a client that accepts both equally, as browsers do', async () => {
    const plain = await call(products());
    const { bytes, headers } = await call(products(), { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } });
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: expect.stringContaining('Accept-Encoding') });
    expect(brotliDecompressSync(bytes)).toEqual(plain.bytes);
    expect(headers['etag']).toBe(plain.headers['etag'] && `W/${plain.headers['etag']}`);
  });

  it('has a weak ETag when it is compressed, and If-None-Match accepts either form and gets it back', async () => {
    const plain = await call(list, { key: kitchen.keys.reader });
    const zipped = await compressed(list);
    expect(zipped.headers['etag']).toBe(`W/${plain.headers['etag']}`);
    for (const tag of [plain.headers['etag'], zipped.headers['etag']] as string[]) {
      for (const encoding of [{}, gzip]) {
        const headers = { ...encoding, 'if-none-match': tag };
        const { status, text, headers: sent } = await call(list, { key: kitchen.keys.reader, headers });
        expect([status, text, sent['etag']]).toEqual([304, '', tag]);
        expect(sent['vary']).toContain('Accept-Encoding');
      }
    }
  });

  it('a compressed answer of one entry keeps its strong ETag, which If-Match requires', async () => {
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

  it('is uncompressed below 1 KB, and for clients that do not accept gzip', async () => {
    const small = await call(`${list.replace('100', '1')}&fields=id`, { key: kitchen.keys.reader, headers: gzip });
    expect(small.headers['content-encoding']).toBeUndefined();
    expect(small.headers['vary']).toContain('Accept-Encoding');
    for (const encoding of ['', 'deflate', 'br;q=0', 'gzip;q=0', 'identity', 'gzip;q=0.5, identity']) {
      const headers = { 'accept-encoding': encoding };
      const answer = await call(list, { key: kitchen.keys.reader, headers });
      expect(answer.headers['content-encoding']).toBeUndefined();
    }
  });
});

it.each<[string | undefined, 'br' | 'gzip' | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['*', 'br'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip, br;q=0.9', 'gzip'],
  ['br, *;q=0.1', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', undefined],
  ['gzip;q=0', undefined],
  ['gzip;q=0.000', undefined],
  ['gzip;q=0.001', 'gzip'],
  ['gzip; q=1.0', 'gzip'],
  ['gzip;q=2', undefined],
  ['gzip;q=', undefined],
  ['identity;q=0, gzip;q=0.2', 'gzip'],
  ['identity;q=0.9, gzip;q=0.2, br;q=0.5', undefined],
  ['notgzip', undefined],
])('of Brotli and gzip, the header %j prefers %s', (header, expected) => {
  expect(preferredCoding(header, ['br', 'gzip'])).toBe(expected);
});

it('a client that prefers Brotli gets gzip where only gzip is offered, if it accepts gzip', () => {
  expect(preferredCoding('br, gzip;q=0.5', ['gzip'])).toBe('gzip');
  expect(preferredCoding('br', ['gzip'])).toBeUndefined();
});
