import { afterAll, expect, it } from '@jest/globals';
import { freezeDate } from '#test/support/frozen-date.ts';
import { SecretsManager, secretArn } from '#test/support/secrets-manager.ts';

// As on AWS, where each container reads the secret itself: the variables are set before the module is imported.
const arn = secretArn('signing');
const manager = await SecretsManager.start({ [arn]: 'first-value' });
process.env['SIGNING_SECRET_ARN'] = arn;
afterAll(() => manager.stop());
const { newSecretOf, secretsOf } = await import('#lib/webhooks/signature.ts');
const { itIs } = freezeDate();

const webhook = { id: 'wh_1', secretVersion: 'b' };
const counting = async (more: object = {}, workspaceId = 'ws_1') =>
  (await secretsOf(workspaceId, { ...webhook, ...more }, Date.now())).map(
    (secret) => `whsec_${secret.export().toString('base64')}`,
  );

it('a secret belongs to its workspace, its webhook and its version', async () => {
  const secrets = [
    await newSecretOf('ws_1', 'wh_1', 'b'),
    await newSecretOf('ws_2', 'wh_1', 'b'),
    await newSecretOf('ws_1', 'wh_2', 'b'),
    await newSecretOf('ws_1', 'wh_1', 'c'),
  ];
  expect(new Set(secrets).size).toBe(4);
  expect(await counting()).toEqual([secrets[0]]);
  const former = { version: 'c', until: new Date(Date.now() + 1_000).toISOString() };
  expect(await counting({ formerSecret: former })).toEqual([secrets[0], secrets[3]]);
  expect(await counting({ formerSecret: { ...former, until: new Date().toISOString() } })).toEqual([secrets[0]]);
  expect(await counting({}, 'ws_2')).toEqual([secrets[1]]);
});

it('after a rotation of the signing secret, secrets shown before it count until the next one', async () => {
  const shown = await newSecretOf('ws_1', 'wh_1', 'b');
  const former = { version: 'a', until: new Date(Date.now() + 86_400_000).toISOString() };
  const shownFormer = await newSecretOf('ws_1', 'wh_1', 'a');
  manager.rotate(arn, 'second-value');
  itIs(300_001);
  const after = await counting({ formerSecret: former });
  expect(after).toHaveLength(4);
  expect([after[1], after[3]]).toEqual([shown, shownFormer]);
  // A container that makes webhooks has the new value from then on.
  expect(await newSecretOf('ws_1', 'wh_1', 'b')).toBe(after[0]);
  const readings = manager.readings(arn, 'AWSPREVIOUS');
  for (let delivery = 0; delivery < 20; delivery++) await counting();
  expect(manager.readings(arn, 'AWSPREVIOUS')).toBe(readings);
  manager.rotate(arn, 'third-value');
  itIs(600_002);
  expect(await counting()).not.toContain(shown);
});
