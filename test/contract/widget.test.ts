import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { call } from '#test/support/call.ts';

const plain = await call('GET /widget.js');
// Otherwise the script's compiler would outlive the test.
afterAll(() => stop());

describe('GET /widget.js', () => {
  it('answers a script that any website may load, for an hour', () => {
    expect(plain.status).toBe(200);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^W\/"/),
    });
  });

  it('has at most 15 KB on the wire', async () => {
    const zipped = await call('GET /widget.js', { headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    expect(zipped.bytes.length).toBeLessThanOrEqual(15 * 1_024);
  });

  it('is 304 for its ETag', async () => {
    const headers = { 'if-none-match': plain.headers['etag'] ?? '' };
    const unchanged = await call('GET /widget.js', { headers });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(unchanged.headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      etag: headers['if-none-match'],
    });
  });

  it('has another ETag in another version', async () => {
    expect((await call('GET /widget.js', { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200);
  });

  it('reads neither key nor query', async () => {
    const other = await call('GET /widget.js?v=2', { key: 'nobody' });
    expect([other.status, other.headers['etag']]).toEqual([200, plain.headers['etag']]);
  });

  it('accepts GET and HEAD only', async () => {
    const head = await call('HEAD /widget.js');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', `${plain.bytes.length}`]);
  });

  it('is one script without imports, markup and style elements', () => {
    expect(plain.text).not.toMatch(
      /\bimport\b|\brequire\(|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/,
    );
    expect(plain.text).not.toMatch(/createElement\(["'`]style|new Function|"style"|\.cssText/);
    expect(() => new Function(plain.text)).not.toThrow();
  });
});
