import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';

const get = (headers: Record<string, string> = {}) => call('GET /openapi.json', { headers });

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
});
