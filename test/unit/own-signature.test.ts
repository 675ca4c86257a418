import { afterAll, expect, it } from '@jest/globals';
import { SecretsManager, secretArn } from '#test/support/secrets-manager.ts';

// As on AWS, where each container reads the secret itself: the variables are set before the module is imported.
const arn = secretArn('signing');
const manager = await SecretsManager.start({ [arn]: 'first-value' });
process.env['SIGNING_SECRET_ARN'] = arn;
afterAll(() => manager.stop());
const { isSigned, signatureOf } = await import('#lib/secrets/own-signature.ts');

it('a signature counts for its text and its purpose alone, and in no shortened or prolonged form', async () => {
  const signature = await signatureOf('login', 'a text');
  expect(signature).toMatch(/^[\w-]{43}$/);
  expect(await isSigned('login', 'a text', signature)).toBe(true);
  const others = [
    ['login', 'a texts', signature],
    ['logi', 'n a text', signature],
    ['cursor', 'a text', signature],
    ['login', 'a text', signature.slice(0, -1)],
    ['login', 'a text', `${signature}AAAA`],
    ['login', 'a text', ''],
  ] as const;
  for (const [purpose, text, sent] of others)
    expect([purpose, text, sent, await isSigned(purpose, text, sent)]).toEqual([purpose, text, sent, false]);
});

it('a signature stays valid when the secret is rotated, and forged ones cause one read of it', async () => {
  const before = await signatureOf('login', 'a text');
  manager.rotate(arn, 'second-value');
  const readings = manager.readings(arn, 'AWSPREVIOUS');
  for (let forged = 0; forged < 20; forged++) expect(await isSigned('login', `text ${forged}`, before)).toBe(false);
  expect(manager.readings(arn, 'AWSPREVIOUS') - readings).toBeLessThanOrEqual(1);
  expect(await isSigned('login', 'a text', before)).toBe(true);
});
