import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';

const plain = await call('GET /widget.js');

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

  it('is one script without imports, markup and style elements', () => {
    expect(plain.text).not.toMatch(
      /\bimport\b|\brequire\(|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/,
    );
    expect(plain.text).not.toMatch(/createElement\(["'`]style|new Function|"style"|\.cssText/);
    expect(() => new Function(plain.text)).not.toThrow();
  });
});
