import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { type Kitchen, openKitchen } from '#test/support/kitchen.ts';

const secret = 'the-value-that-the-distribution-sends-0123456789';
const comingThrough = { 'x-origin-verify': secret };

let secretsManager: Server;
let isDown: boolean;
let reads: number;
let kitchen: Kitchen;

/** As on AWS, where each container reads the secret for itself: set before any function is loaded. */
beforeAll(async () => {
  isDown = true;
  reads = 0;
  secretsManager = createServer((request, response) => {
    request.resume();
    reads++;
    if (isDown) response.writeHead(500).end('{}');
    else response.end(JSON.stringify({ SecretString: secret }));
  }).listen(0, '127.0.0.1');
  await once(secretsManager, 'listening');
  const { port } = secretsManager.address() as AddressInfo;
  process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = `http://127.0.0.1:${port}`;
  process.env['ORIGIN_SECRET_ARN'] = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:origin-AbCdEf';
  kitchen = await openKitchen();
});

afterAll(async () => {
  secretsManager.closeAllConnections();
  secretsManager.close();
  await once(secretsManager, 'close');
});

describe('while the secret cannot be read', () => {
  it('nobody is let in, and everybody is asked to come again', async () => {
    const answer = await call('GET /api/public/cms/chefs/list', { key: kitchen.keys.reader, headers: comingThrough });
    expect(answer).toMatchObject({ status: 503, json: { code: 'unavailable' }, headers: { 'retry-after': '1' } });
  });
});

describe('where the distribution is the only way in', () => {
  beforeEach(() => {
    isDown = false;
  });

  const refused = {
    status: 403,
    headers: { 'x-request-id': expect.any(String) },
    json: { code: 'permission_denied', message: 'This service answers at its public address only.' },
  };

  const routes: { methods: string[]; path: string }[] = JSON.parse(process.env['ROUTES'] ?? '[]');
  const requests = routes.flatMap(({ methods, path }) =>
    methods.map((method) => [`${method} ${path.replaceAll(/\{[^}]+\}/g, 'x')}`]),
  );

  it.each([...requests, ['GET /nowhere'], ['DELETE /api/public/menu/products']])(
    '%s is refused for who goes round it, whatever key they have',
    async (request) => {
      const key = kitchen.keys.chief;
      expect(await call(request, { key })).toMatchObject(refused);
      expect(await call(request, { key, headers: { 'x-origin-verify': '' } })).toMatchObject(refused);
      expect(await call(request, { key, headers: { 'x-origin-verify': `${secret}0` } })).toMatchObject(refused);
      expect(await call(request, { key, headers: { 'x-origin-verify': `${secret},${secret}` } })).toMatchObject(
        refused,
      );
    },
  );

  it('who comes through it is answered as ever, and the secret is read once a function', async () => {
    const list = () => call('GET /api/public/cms/chefs/list', { key: kitchen.keys.reader, headers: comingThrough });
    await list();
    const before = reads;
    expect(await list()).toMatchObject({ status: 200 });
    expect(reads).toBe(before);
    expect(await call('GET /nowhere', { headers: comingThrough })).toMatchObject({ status: 404 });
    expect(await call('GET /api/public/cms/chefs/list', { headers: comingThrough })).toMatchObject({ status: 401 });
  });
});
