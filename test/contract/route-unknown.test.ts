import { describe, expect, it } from '@jest/globals';
import { findEndpoints } from '#lib/endpoints.ts';
import { routesOf } from '#lib/http/endpoint.ts';
import { call, callFunction, functionOf } from '#test/support/call.ts';

const endpoints = await findEndpoints();

describe('an unknown path', () => {
  it.each([
    '/api',
    '/api/public/cms',
    '/api/public/cms/chefs',
    '/api/public/cms/chefs/list/',
    '/api//public/cms/chefs/list',
  ])('is 404: %s, whatever the key', async (path) => {
    const { status, headers, json } = await call(`GET ${path}`);
    expect(status).toBe(404);
    expect(json).toEqual({ message: 'Address not found.', code: 'not_found' });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['content-type']).toMatch(/^application\/json/);
  });
});

// The gateway ends `rawPath` at an escaped question mark. Without the rest it would name another record.
describe('a path with an escaped question mark', () => {
  it.each([
    ['menu-categories-list', 'GET /api/public/menu/categories%3F'],
    ['form-get', 'GET /api/public/forms/contact%3Fa/b'],
    ['manage-get', 'GET /api/v1/manage/menu-products/prod_1%3F/history'],
  ])('is the whole path to %s: %s', async (name, request) => {
    const { status, json } = await callFunction(name, request);
    expect([status, json.message]).toEqual([404, 'Address not found.']);
  });
});

describe('an unsupported method', () => {
  it.each([
    ['POST', '/api/public/cms/chefs/list', 'GET, HEAD'],
    ['PATCH', '/api/public/cms/chefs/list', 'GET, HEAD'],
    ['PUT', '/api/public/cms/chefs/list', 'GET, HEAD'],
    ['DELETE', '/api/public/cms/chefs/chef_1', 'GET, HEAD, PATCH, PUT'],
    ['POST', '/api/public/cms/chefs/chef_1', 'GET, HEAD, PATCH, PUT'],
  ])('is 405 for %s %s, with Allow', async (method, path, allow) => {
    const { status, headers, json } = await call(`${method} ${path}`);
    expect(status).toBe(405);
    expect(headers['allow']).toBe(allow);
    expect(json.code).toBe('method_not_allowed');
  });
});

// On AWS a GET and its HEAD share a route for ANY (lib/infra/http-front.ts), so its function gets other methods, too.
describe('the function of a GET', () => {
  const routes = endpoints.flatMap(({ name, endpoint }) => routesOf(endpoint).map((route) => ({ ...route, name })));
  const reads = routes.filter(({ endpoint }) => endpoint.methods.includes('GET') && !endpoint.refusesHead);

  const addressOf = (path: string) => path.replaceAll(/\{\w+\+?\}/g, 'x');

  it.each(reads.map(({ name, endpoint }) => [name, addressOf(endpoint.path)]))(
    '%s answers unsupported methods of %s like route-unknown',
    async (name, path) => {
      const requests = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].map((method) => `${method} ${path}`);
      const wrong = requests.filter((request) => functionOf(request) === 'route-unknown');
      expect(wrong.length).toBeGreaterThan(1);
      for (const request of wrong) {
        const answer = await callFunction(name, request);
        const unknown = await call(request);
        expect([request, answer.status, answer.headers['allow'], answer.json]).toEqual([
          request,
          405,
          unknown.headers['allow'],
          unknown.json,
        ]);
      }
    },
  );
});
