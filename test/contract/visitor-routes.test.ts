import { describe, expect, it } from '@jest/globals';
import { findEndpoints } from '#lib/endpoints.ts';
import { routesOf } from '#lib/http/endpoint.ts';
import { call } from '#test/support/call.ts';
import { UploadServer } from '#test/support/upload-server.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const room = await openWorkspace('visitors');
const visitor = await room.visit();
const origin = 'http://localhost:8080';
const preflight = {
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
};

/** The routes for visitors (lib/spec/additions.md section 4), and their status for another conversation, file or body. */
const opened = [
  'POST /api/v1/connect/ai-stream',
  'GET /api/v1/connect/assets/{key+}',
  'POST /api/v1/connect/attachments',
  'POST /api/v1/connect/attachments/announce',
  'GET /api/v1/connect/conversations/{id}/messages',
  'POST /api/v1/connect/conversations/{id}/messages',
  'POST /api/v1/connect/conversations/{id}/read',
];

const declared = (await findEndpoints()).flatMap(({ endpoint }) => routesOf(endpoint));
const routes = declared.flatMap(({ endpoint }) => endpoint.methods.map((method) => ({ method, ...endpoint })));
const keyed = routes.filter(({ keyIn }) => keyIn.length > 0);
const addressOf = (path: string) => path.replaceAll(/\{[^}]+\}/g, 'x');
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

it('the routes of visitors are those of the specification', () => {
  const found = routes.filter(({ callers }) => callers?.includes('visitor')).map(nameOf);
  expect(found.sort()).toEqual(opened.toSorted());
});

describe("a route for visitors' tokens:", () => {
  it.each(keyed.map((route) => [nameOf(route), route] as const))('%s', async (name, { method, path, keyIn }) => {
    const body = method === 'GET' ? {} : { body: {} };
    const { status, json, headers } = await call(`${method} ${addressOf(path)}`, {
      key: visitor.token,
      headers: { origin },
      ...body,
    });
    if (opened.includes(name)) {
      expect(status).toBe(method === 'GET' ? 404 : 400);
      expect(headers['access-control-allow-origin']).toBe(origin);
      return;
    }
    // Where a key is read from the query only, the token is ignored.
    const expected = keyIn.join() === 'query' ? [401, 'missing_api_key'] : [403, 'permission_denied'];
    expect([status, json.code]).toEqual(expected);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('unknown paths are 404 and unsupported methods 405', async () => {
    const { token: key } = visitor;
    expect((await call('GET /api/v1/connect/nothing', { key })).status).toBe(404);
    expect((await call('DELETE /api/v1/connect/ai-stream', { key })).status).toBe(405);
    expect((await call(`PATCH /api/v1/connect/conversations/${visitor.conversationId}/messages`, { key })).status).toBe(
      405,
    );
  });
});

describe('a preflight', () => {
  it.each(routes.map((route) => [route.path, route] as const))('a preflight of %s', async (path) => {
    const { status, headers, text } = await call(`OPTIONS ${addressOf(path)}`, { headers: preflight });
    const methods = opened.filter((name) => name.endsWith(` ${path}`)).map((name) => name.split(' ')[0]);
    if (methods.length === 0) {
      expect(status).toBe(405);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      return;
    }
    expect([status, text]).toEqual([204, '']);
    expect(headers).toMatchObject({ 'access-control-allow-origin': origin, 'access-control-max-age': '7200' });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(headers['access-control-allow-methods']?.split(', ').sort()).toEqual(methods.sort());
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match']) {
      expect(headers['access-control-allow-headers']?.split(', ')).toContain(name);
    }
  });

  it('a preflight of a large upload is answered over plain HTTP, too', async () => {
    const server = await UploadServer.start();
    try {
      const address = `http://127.0.0.1:${server.port}/api/v1/connect/attachments`;
      const { status, headers } = await fetch(address, { method: 'OPTIONS', headers: preflight });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    } finally {
      await server.stop();
    }
  });

  it('is answered for any origin, and OPTIONS without one is an unsupported method', async () => {
    const address = 'OPTIONS /api/v1/connect/ai-stream';
    for (const any of ['https://evil.example', 'null', 'http://127.0.0.1']) {
      const { status, headers } = await call(address, { headers: { ...preflight, origin: any } });
      expect([status, headers['access-control-allow-origin']]).toEqual([204, any]);
    }
    expect((await call(address)).status).toBe(405);
    expect((await call(address, { headers: { origin } })).status).toBe(405);
    expect((await call('OPTIONS /api/v1/connect/nothing', { headers: preflight })).status).toBe(404);
  });
});
