import { afterAll, describe, expect, it } from '@jest/globals';
import { bundleGroups } from '#lib/bundle/bundle-functions.ts';
import { findEndpoints, gatewayRoutes, groupOf } from '#lib/endpoints.ts';
import { httpApiEvent } from '#lib/local/event.ts';
import { BundleProcess } from '#test/support/bundle-process.ts';

const files = new Map((await bundleGroups()).map(({ name, file }) => [name, file]));
const endpoints = await findEndpoints();
const container = new BundleProcess({});
afterAll(() => container.kill());

/** Sends a request without credentials to the bundle of a group, as the gateway does. */
async function answerOf(group: string, routeKey: string, method: string, url: string) {
  const request = { headers: [], body: Buffer.from(''), sourceIp: '127.0.0.1', requestId: 'r' };
  const event = httpApiEvent({ method, url, routeKey, ...request });
  return (await container.ask({ file: files.get(group) ?? '', event })) as { statusCode: number; body: string };
}

describe('The bundle of a group', () => {
  const keyed = endpoints.filter(({ name, endpoint }) => groupOf(name) && endpoint.keyIn.length > 0);

  it.each(keyed)('leads the requests of $name to its handler', async (declared) => {
    for (const { method, path } of gatewayRoutes(declared)) {
      const own = method === 'ANY' ? 'GET' : method;
      const routes = Object.values(declared.endpoint.routes ?? { only: { path } });
      const url = (routes[0]?.path ?? path).replaceAll(/\{\w+\+?\}/g, 'something');
      const { statusCode, body } = await answerOf(groupOf(declared.name) ?? '', `${method} ${path}`, own, url);
      expect([url, statusCode, JSON.parse(body).code]).toEqual([url, 401, 'missing_api_key']);
    }
  });

  it('answers what no route fits, and serves files', async () => {
    expect(await answerOf('pages', '$default', 'GET', '/nothing')).toMatchObject({ statusCode: 404 });
    expect(await answerOf('pages', 'ANY /openapi.json', 'GET', '/openapi.json')).toMatchObject({ statusCode: 200 });
  });
});
