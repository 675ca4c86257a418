import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';

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

  it('ignores an invalid key, and answers HEAD', async () => {
    expect((await call('GET /', { key: 'nobody' })).status).toBe(200);
    expect((await call('HEAD /')).status).toBe(200);
    expect((await call('POST /')).status).toBe(405);
  });
});
