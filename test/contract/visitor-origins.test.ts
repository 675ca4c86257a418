import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { conversations, website } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const room = await openWorkspace('visitors');
const visitor = await room.visit();
const address = `GET ${conversations}/${visitor.conversationId}/messages`;
const from = (origin: string | undefined, key = visitor.token) =>
  call(address, { key, headers: origin === undefined ? {} : { origin } });
const corsOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).filter(([name]) => name.startsWith('access-control'));

describe('a request with a token', () => {
  it.each([
    `https://${website}`,
    `https://www.${website}`,
    'http://localhost',
    'http://localhost:8080',
    'https://app.localhost:3000',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
  ])('is served from %s', async (origin) => {
    const { status, headers } = await from(origin);
    expect(status).toBe(200);
    expect(Object.fromEntries(corsOf(headers))).toEqual({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'ETag, x-request-id, Retry-After',
    });
    expect(headers['vary']).toContain('Origin');
  });

  it('is served without an origin', async () => {
    const { status, headers } = await from(undefined);
    expect([status, corsOf(headers)]).toEqual([200, []]);
  });

  it.each([
    'https://evil.example',
    `http://${website}`,
    `https://${website}:8443`,
    `https://sub.${website}`,
    `https://www.www.${website}`,
    `https://${website}.evil.example`,
    `https://evil${website}`,
    `https://${website}/`,
    'https://saffron.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://user@localhost',
    'file://localhost',
    'null',
    '',
  ])('a request with a token from %j is 403 without CORS headers', async (origin) => {
    const { status, json, headers } = await from(origin);
    expect([status, json.code, corsOf(headers)]).toEqual([403, 'origin_not_allowed', []]);
  });

  it('has CORS headers on its refusals, too', async () => {
    const origin = `https://${website}`;
    const other = await call(`GET ${conversations}/conv_1/messages`, { key: visitor.token, headers: { origin } });
    expect([other.status, other.headers['access-control-allow-origin']]).toEqual([404, origin]);
    const body = { senderType: 'customer' };
    const path = `${conversations}/${visitor.conversationId}/messages`;
    const wrong = await call(`POST ${path}`, { key: visitor.token, headers: { origin }, body });
    expect([wrong.status, wrong.headers['access-control-allow-origin']]).toEqual([400, origin]);
  });

  it('changes nothing from another website', async () => {
    const headers = { origin: 'https://evil.example' };
    const body = { senderType: 'customer', text: 'Not me.' };
    const path = `${conversations}/${visitor.conversationId}/messages`;
    expect((await call(`POST ${path}`, { key: visitor.token, headers, body })).status).toBe(403);
    expect((await from(undefined)).json.data).toEqual([]);
  });
});

describe('an API key', () => {
  it('gets no CORS headers, whatever the origin', async () => {
    for (const origin of [`https://${website}`, 'http://localhost']) {
      const { status, headers } = await from(origin, room.keys.reader);
      expect([status, corsOf(headers)]).toEqual([200, []]);
      expect(headers['vary']).not.toContain('Origin');
    }
  });
});

describe('an error that a widget must understand', () => {
  const origin = 'https://anywhere.example';

  it('is 401 with the origin of the request', async () => {
    const { status, headers } = await from(origin, `wst_${'0'.repeat(43)}`);
    expect([status, headers['access-control-allow-origin'], headers['www-authenticate']]).toEqual([
      401,
      origin,
      'Bearer',
    ]);
    expect(
      (await call('GET /api/v1/connect/conversations', { key: 'wst_', headers: { origin } })).headers,
    ).not.toHaveProperty('access-control-allow-origin');
  });
});
