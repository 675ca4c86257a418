import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';

let names: Record<'js' | 'css', string>;

beforeAll(async () => {
  const { text } = await call('GET /console');
  const named = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  names = { js: named(/src="console\/([^"]+)"/), css: named(/href="console\/([^"]+\.css)"/) };
});

describe('GET /console/{file}', () => {
  it.each([
    ['js', 'text/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
  ] as const)('answers the %s of the page as %s, compressed or not, to be kept for ever', async (extension, type) => {
    const address = `GET /console/${names[extension]}`;
    const plain = await call(address);
    expect([plain.status, plain.headers['content-type']]).toEqual([200, type]);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['x-content-type-options']).toBe('nosniff');
    const zipped = await call(address, { headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    const again = await call(address, { headers: { 'if-none-match': plain.headers['etag'] ?? '' } });
    expect(again.status).toBe(304);
  });

  it('answers every script that another script imports', async () => {
    const { text } = await call(`GET /console/${names.js}`);
    const loaded = [...text.matchAll(/["'`]\.\/([a-z-]+-[A-Z0-9]{8}\.js)["'`]/g)].map(([, name]) => name);
    expect(loaded.length).toBeGreaterThanOrEqual(8);
    for (const name of new Set(loaded)) expect((await call(`GET /console/${name}`)).status).toBe(200);
  });

  it('answers the licences of the libraries in the console, to which the page links', async () => {
    expect((await call('GET /console')).text).toContain('<link rel="license" href="console/notices.txt">');
    const { status, headers, text } = await call('GET /console/notices.txt');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'public, max-age=3600',
    ]);
    expect(text).toMatch(/^react \d+\.\d+\.\d+ \(MIT\)$[\s\S]+Copyright \(c\) Meta Platforms/m);
    expect(text).toMatch(/^react-aria \S+ \(Apache-2\.0\)$[\s\S]+Apache License/m);
    expect(text).toMatch(/^wouter \S+ \(Unlicense\)$[\s\S]+public domain/m);
  });

  it.each([
    'console.html',
    'notices-AAAAAAAA.txt',
    'Notices.txt',
    'package.json',
    'index.js',
    'main.js',
    '..',
    '..%2fpackage.json',
    '__proto__',
    'constructor',
    'a-AAAAAAAA.js',
  ])('answers 404 for %s', async (file) => {
    const { status, json } = await call(`GET /console/${file}`);
    expect([status, json.code]).toEqual([404, 'not_found']);
  });
});
