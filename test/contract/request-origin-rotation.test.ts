import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { SecretsManager } from '#test/support/secrets-manager.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

// Wrong values cause one read in ten seconds.
freezeDate();

let secretsManager: SecretsManager;
let kitchen: Workspace;

// As on AWS, where each container reads the secret itself: the variables are set before any function is imported.
beforeAll(async () => {
  secretsManager = await SecretsManager.start('old-value-0123456789');
  process.env['ORIGIN_SECRET_ARN'] = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:origin-AbCdEf';
  kitchen = await openWorkspace('kitchen');
});

afterAll(() => secretsManager.stop());

const statusWith = async (value: string): Promise<number> => {
  const { status } = await call('GET /api/public/cms/chefs/list', {
    key: kitchen.keys.reader,
    headers: { 'x-origin-verify': value },
  });
  return status;
};

it('a rotation of the origin secret refuses no request, whichever of the two values CloudFront sends', async () => {
  expect(await statusWith('old-value-0123456789')).toBe(200);
  secretsManager.rotate('new-value-0123456789');
  const values = Array.from({ length: 20 }, (_, index) => `${index % 2 === 0 ? 'old' : 'new'}-value-0123456789`);
  expect(new Set(await Promise.all(values.map(statusWith)))).toEqual(new Set([200]));
  for (const value of values) expect(await statusWith(value)).toBe(200);
  expect(await statusWith('old-value-0123456780')).toBe(403);
  expect(secretsManager.readings('AWSPREVIOUS')).toBe(1);
});
