import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';

describe('GET /docs/{file}', () => {
  it.each([
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['start.js', 'text/javascript; charset=utf-8'],
    ['page.css', 'text/css; charset=utf-8'],
    ['favicon-32x32.png', 'image/png'],
    ['LICENSE', 'text/plain; charset=utf-8'],
    ['NOTICE', 'text/plain; charset=utf-8'],
    ['swagger-ui-bundle.js.LICENSE.txt', 'text/plain; charset=utf-8'],
  ])('answers %s as %s, compressed or not', async (file, type) => {
    const plain = await call(`GET /docs/${file}`);
    expect([plain.status, plain.headers['content-type']]).toEqual([200, type]);
    expect(plain.headers['x-content-type-options']).toBe('nosniff');
    const zipped = await call(`GET /docs/${file}`, { headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    const { status } = await call(`GET /docs/${file}`, { headers: { 'if-none-match': plain.headers['etag'] ?? '' } });
    expect(status).toBe(304);
  });

  it('answers the licences that must be distributed with the renderer', async () => {
    expect((await call('GET /docs/LICENSE')).text).toContain('Apache License');
    expect((await call('GET /docs/NOTICE')).text).toContain('swagger-ui');
    const { text } = await call('GET /docs/swagger-ui-bundle.js');
    expect(text).toContain('swagger-ui-bundle.js.LICENSE.txt');
    expect((await call('GET /docs')).text).toContain('href="docs/notices.txt"');
    const notices = await call('GET /docs/notices.txt');
    expect(notices.headers['content-type']).toBe('text/plain; charset=utf-8');
    for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'])
      expect(notices.text).toContain((await call(`GET /docs/${name}`)).text);
  });

  it.each([
    'package.json',
    'index.js',
    'swagger-ui-bundle.js.map',
    '..',
    '..%2fpackage.json',
    '%2e%2e%2findex.js',
    'constructor',
    '__proto__',
    'toString',
    'START.JS',
  ])('answers 404 for %s', async (file) => {
    const { status, json } = await call(`GET /docs/${file}`);
    expect([status, json.code]).toEqual([404, 'not_found']);
  });
});
