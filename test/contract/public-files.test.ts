import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';

describe.each([
  ['/', '/'],
  ['/openapi.json', '/openapi.json'],
  ['/docs', '/docs'],
  ['/docs/start.js', '/docs/{file}'],
  ['/docs/favicon-32x32.png', '/docs/{file}'],
  ['/console', '/console'],
  ['/console/notices.txt', '/console/{file}'],
  ['/widget.js', '/widget.js'],
])('%s', (path, route) => {
  it('requires no key, and ignores the key and query that it gets', async () => {
    const plain = await call(`GET ${path}`);
    expect([plain.status, plain.headers['x-content-type-options']]).toEqual([200, 'nosniff']);
    expect(plain.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const other = await call(`GET ${path}?apiKey=a&apiKey=b&x=1`, { key: 'nobody' });
    expect([other.status, other.headers['etag']]).toEqual([200, plain.headers['etag']]);
  });

  it('is 304 for its ETag and no other', async () => {
    const { headers } = await call(`GET ${path}`);
    const etag = headers['etag'] ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    for (const ifNoneMatch of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
      const unchanged = await call(`GET ${path}`, { headers: { 'if-none-match': ifNoneMatch } });
      expect([unchanged.status, unchanged.text, unchanged.headers['etag']]).toEqual([304, '', etag]);
      expect(unchanged.headers['cache-control']).toBe(headers['cache-control']);
    }
    expect((await call(`GET ${path}`, { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200);
  });

  it('is compressed for those who accept it, and has its length as the answer to HEAD', async () => {
    const plain = await call(`GET ${path}`);
    const zipped = await call(`GET ${path}`, { headers: { 'accept-encoding': 'br, gzip;q=0.5' } });
    expect([plain.headers['content-encoding'], zipped.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    const head = await call(`HEAD ${path}`);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', `${plain.bytes.length}`]);
  });

  it.each(['POST', 'DELETE', 'PUT'])('is 405 for %s', async (method) => {
    const { status, headers, json } = await call(`${method} ${path}`);
    expect([status, headers['allow'], json.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
  });

  it('is named by its route in log lines', async () => {
    const lines = await capturedLines(() => call(`GET ${path}`));
    expect(lines.map((line) => JSON.parse(line).route)).toEqual([route]);
  });
});

it.each(['/docs/', '/console/', '/openapi.json/', '/widget.js/x', '/console/a/b', '/docs/swagger-ui.css/x', '/file'])(
  '%s is no address',
  async (path) => {
    const { status, json } = await call(`GET ${path}`);
    expect([status, json]).toEqual([404, { message: 'Address not found.', code: 'not_found' }]);
  },
);

describe('GET /', () => {
  it.each([undefined, 'application/json', '*/*'])('answers the links for a program that accepts %s', async (accept) => {
    const { status, headers, json } = await call('GET /', { headers: accept === undefined ? {} : { accept } });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(json).toEqual({ openapi: '/openapi.json', docs: '/docs', console: '/console' });
    for (const address of Object.values(json)) expect((await call(`GET ${address}`)).status).toBe(200);
  });

  it('redirects a browser to the console', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers, text } = await call('GET /', { headers: { accept } });
    expect([status, headers['location'], text]).toEqual([302, '/console', '']);
    expect(headers['vary']).toBe('Accept, Accept-Encoding');
    expect(headers['x-request-id']).toBeDefined();
  });

  it.each([
    ['text/html;q=0, application/json', 200],
    ['application/json, TEXT/HTML ; q=0.0', 200],
    ['text/html;q=high', 200],
    ['text/htmlx', 200],
    ['text/html;q=0.1', 302],
    ['application/json, Text/HTML; charset=utf-8', 302],
  ])('a weight of 0 refuses the console: %s', async (accept, expected) => {
    expect((await call('GET /', { headers: { accept } })).status).toBe(expected);
  });
});
