import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';

describe('an address that no route takes', () => {
  it.each([
    '/api',
    '/api/public/cms',
    '/api/public/cms/chefs',
    '/api/public/cms/chefs/list/',
    '/api//public/cms/chefs/list',
  ])('404 for %s, whatever the key', async (path) => {
    const { status, headers, json } = await call(`GET ${path}`);
    expect(status).toBe(404);
    expect(json).toEqual({ message: 'Address not found.', code: 'not_found' });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['content-type']).toMatch(/^application\/json/);
  });
});

describe('a method that an address does not take', () => {
  it.each([
    ['POST', '/api/public/cms/chefs/list', 'GET, HEAD'],
    ['PATCH', '/api/public/cms/chefs/list', 'GET, HEAD'],
    ['PUT', '/api/public/cms/chefs/list', 'GET, HEAD'],
    ['DELETE', '/api/public/cms/chefs/chef_1', 'GET, HEAD, PATCH, PUT'],
    ['POST', '/api/public/cms/chefs/chef_1', 'GET, HEAD, PATCH, PUT'],
  ])('405 for %s %s, with Allow', async (method, path, allow) => {
    const { status, headers, json } = await call(`${method} ${path}`);
    expect(status).toBe(405);
    expect(headers['allow']).toBe(allow);
    expect(json.code).toBe('method_not_allowed');
  });
});
