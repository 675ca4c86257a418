import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';

const get = (headers: Record<string, string> = {}, method = 'GET') => call(`${method} /openapi.json`, { headers });

describe('GET /openapi.json', () => {
  it('requires no key, and answers JSON that every cache may keep for a while', async () => {
    const { status, json, headers } = await get();
    expect([status, json.openapi]).toEqual([200, '3.1.1']);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('ignores a key', async () => {
    expect((await get({ authorization: 'Bearer nobody' })).status).toBe(200);
    expect((await call('GET /openapi.json?apiKey=a&apiKey=b&x=1')).status).toBe(200);
  });

  it.each(['gzip', 'br, gzip;q=0.5', 'GZIP'])('is compressed for the Accept-Encoding %s', async (encoding) => {
    const { bytes, headers } = await call('HEAD /openapi.json', { headers: { 'accept-encoding': encoding } });
    expect([bytes.length, headers['content-encoding'], headers['vary']]).toEqual([0, 'gzip', 'Accept-Encoding']);
  });

  it.each(['', 'br', 'gzip;q=0', 'gzip; q=0.000', 'xgzip'])(
    'is not compressed for the Accept-Encoding %j',
    async (encoding) => {
      const { headers } = await get({ 'accept-encoding': encoding });
      expect(headers).not.toHaveProperty('content-encoding');
    },
  );

  it('answers HEAD with the length of GET', async () => {
    const { bytes } = await get();
    const head = await get({}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(bytes.length)]);
  });

  it('answers 304 for a matching If-None-Match', async () => {
    const { headers } = await get();
    const etag = headers['etag'] ?? '';
    for (const ifNoneMatch of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
      const { status, text, headers: given } = await get({ 'if-none-match': ifNoneMatch });
      expect([status, text, given['etag']]).toEqual([304, '', etag]);
    }
    expect((await get({ 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('accepts GET only', async () => {
    const { status, headers } = await get({}, 'POST');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});
