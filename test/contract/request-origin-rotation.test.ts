import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { SecretsManager, secretArn } from '#test/support/secrets-manager.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

// Wrong values cause one read in ten seconds.
freezeDate();

const origin = secretArn('origin');
const signing = secretArn('signing');
let secretsManager: SecretsManager;
let kitchen: Workspace;

// As on AWS, where each container reads the secret itself: the variables are set before any function is imported.
beforeAll(async () => {
  secretsManager = await SecretsManager.start({ [origin]: 'old-value-0123456789', [signing]: 'old-value-that-signs' });
  Object.assign(process.env, { ORIGIN_SECRET_ARN: origin, SIGNING_SECRET_ARN: signing });
  kitchen = await openWorkspace('kitchen');
});

afterAll(() => secretsManager.stop());

const list = (query: string, value: string) =>
  call(`GET /api/public/cms/chefs/list${query}`, {
    key: kitchen.keys.reader,
    headers: { 'x-origin-verify': value },
  });
const statusWith = async (value: string): Promise<number> => (await list('', value)).status;

/** The name of the caller in the log line of a request. */
async function nameInLog(value: string): Promise<unknown> {
  const [line = ''] = await capturedLines(() => statusWith(value));
  return JSON.parse(line).caller;
}

/** The cursor of the second page. */
const cursorFrom = async (value: string): Promise<string> => {
  const { headers } = await list('?limit=1', value);
  return headers['x-cms-next-cursor'] ?? '';
};

it('a rotation of the origin secret refuses no request, whichever of the two values CloudFront sends', async () => {
  expect(await statusWith('old-value-0123456789')).toBe(200);
  const before = [await nameInLog('old-value-0123456789'), await cursorFrom('old-value-0123456789')];
  secretsManager.rotate(origin, 'new-value-0123456789');
  const values = Array.from({ length: 20 }, (_, index) => `${index % 2 === 0 ? 'old' : 'new'}-value-0123456789`);
  expect(new Set(await Promise.all(values.map(statusWith)))).toEqual(new Set([200]));
  for (const value of values) expect(await statusWith(value)).toBe(200);
  expect(await statusWith('old-value-0123456780')).toBe(403);
  expect(secretsManager.readings(origin, 'AWSPREVIOUS')).toBe(1);
  // Names and signatures have a secret of their own.
  expect([await nameInLog('new-value-0123456789'), await cursorFrom('new-value-0123456789')]).toEqual(before);
  expect(secretsManager.readings(signing, 'AWSPREVIOUS')).toBe(0);
});

it('a rotation of the signing secret ends no page and refuses no request, and names callers anew', async () => {
  const value = 'new-value-0123456789';
  const [name, cursor] = [await nameInLog(value), await cursorFrom(value)];
  expect(name).toMatch(/^[0-9a-f]{16}$/);
  secretsManager.rotate(signing, 'new-value-that-signs');
  expect(await list(`?limit=1&cursor=${cursor}x`, value)).toMatchObject({ status: 400 });
  expect(await list(`?limit=1&cursor=${cursor}`, value)).toMatchObject({ status: 200 });
  expect(await nameInLog(value)).not.toBe(name);
  expect(await cursorFrom(value)).not.toBe(cursor);
  expect(secretsManager.readings(signing, 'AWSPREVIOUS')).toBe(1);
});
