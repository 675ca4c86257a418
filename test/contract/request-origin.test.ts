import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeRoutes } from '#lib/http/router.ts';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { SecretsManager, secretArn } from '#test/support/secrets-manager.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

const origin = secretArn('origin');
const signing = secretArn('signing');
const secret = 'the-value-that-the-distribution-sends-0123456789';
const comingThrough = { 'x-origin-verify': secret };

let secretsManager: SecretsManager;
let kitchen: Workspace;

/** As on AWS, where each container reads the secret itself: the variables are set before any function is imported. */
beforeAll(async () => {
  secretsManager = await SecretsManager.start({ [origin]: secret, [signing]: 'the-value-that-signs' });
  secretsManager.fault = (response) => response.writeHead(500).end('{}');
  Object.assign(process.env, { ORIGIN_SECRET_ARN: origin, SIGNING_SECRET_ARN: signing });
  kitchen = await openWorkspace('kitchen');
});

afterAll(() => secretsManager.stop());

const list = (query = '') =>
  call(`GET /api/public/cms/chefs/list${query}`, { key: kitchen.keys.reader, headers: comingThrough });

describe('while no secret can be read', () => {
  it('every request is refused with 503 and Retry-After', async () => {
    expect(await list()).toMatchObject({ status: 503, json: { code: 'unavailable' }, headers: { 'retry-after': '1' } });
  });
});

describe('while the signing secret alone cannot be read', () => {
  it('requests are answered without the name of their caller in the log, and cursors are 503', async () => {
    secretsManager.fault = (response, arn) => arn === signing && response.writeHead(500).end('{}');
    const lines = await capturedLines(async () => expect(await list()).toMatchObject({ status: 200 }));
    expect(lines.map((line) => JSON.parse(line))).toEqual([expect.not.objectContaining({ caller: expect.anything() })]);
    expect(await list('?limit=1')).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  });
});

describe('when only the distribution may send requests', () => {
  beforeEach(() => {
    secretsManager.fault = undefined;
  });

  const refused = {
    status: 403,
    headers: { 'x-request-id': expect.any(String) },
    json: { code: 'permission_denied', message: 'This service answers at its public address only.' },
  };

  const routes = decodeRoutes(process.env['ROUTES']);
  const requests = routes.flatMap(({ methods, path }) =>
    methods.map((method) => [`${method} ${path.replaceAll(/\{[^}]+\}/g, 'x')}`]),
  );

  it.each([...requests, ['GET /nowhere'], ['DELETE /api/public/menu/products']])(
    "%s refuses a request without the distribution's secret, with any key",
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

  it('a request through the distribution gets its answer, and each function reads the secrets one time', async () => {
    await list();
    const before = secretsManager.calls.length;
    expect(await list()).toMatchObject({ status: 200 });
    expect(secretsManager.calls).toHaveLength(before);
    expect(await call('GET /nowhere', { headers: comingThrough })).toMatchObject({ status: 404 });
    expect(await call('GET /api/public/cms/chefs/list', { headers: comingThrough })).toMatchObject({ status: 401 });
  });
});
