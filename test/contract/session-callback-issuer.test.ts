import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { openSignIns } from '#test/support/sign-in.ts';
import { StubIssuer } from '#test/support/stub-issuer.ts';

await openSignIns();
const issuer = await StubIssuer.start();
Object.assign(process.env, issuer.environment);
afterEach(() => issuer.heal());
afterAll(() => issuer.stop());

it('the callback signs in the person whom the issuer names', async () => {
  expect((await issuer.signIn()).headers['location']).toBe('/console');
  const [{ form, headers } = { form: new URLSearchParams(), headers: {} }] = issuer.calls;
  expect([headers.authorization, form.get('client_id'), form.has('client_secret')]).toEqual([
    undefined,
    'odd-client',
    false,
  ]);
  expect(form.get('code_verifier')).toMatch(/^[0-9A-Za-z]{43}$/);
});

describe('an e-mail address', () => {
  it.each([
    ['is not verified', { email_verified: false }],
    ['is verified with another string', { email_verified: 'yes' }],
    ['is verified by a number', { email_verified: 1 }],
    ['has no claim of verification', { email_verified: undefined }],
    ['is missing', { email: undefined }],
    ['is empty', { email: ' ' }],
    ['is a list', { email: ['ali@example.com'] }],
    ['ends in NUL', { email: 'ali@example.com\u0000' }],
    ['holds an invisible character', { email: 'ali@exam\u200bple.com' }],
    ['imitates another', { email: 'аli@example.com' }],
    ['belongs to no member', { email: 'stranger@example.com' }],
  ])('that %s is `not_a_member`', async (_, claims) => {
    issuer.claims = claims;
    await issuer.expectFailure('not_a_member');
  });

  it('that is verified by the string `true` is accepted', async () => {
    issuer.claims = { email_verified: 'true' };
    expect((await issuer.signIn()).headers['location']).toBe('/console');
  });

  it('an e-mail address with another subject than before is `identity_mismatch`', async () => {
    await issuer.signIn();
    issuer.claims = { sub: 'somebody else' };
    await issuer.expectFailure('identity_mismatch');
  });
});

describe('an ID token', () => {
  const now = Math.floor(Date.now() / 1_000);
  it.each([
    ['of another issuer', { iss: 'https://other.example' }],
    ['for another client', { aud: 'other-client' }],
    ['for several other clients', { aud: ['other-client', 'third'] }],
    ['that has expired', { exp: now - 600 }],
    ['without an expiry', { exp: undefined }],
    ['without a subject', { sub: undefined }],
  ])('%s is refused', async (_, claims) => {
    issuer.claims = claims;
    await issuer.expectFailure('unavailable');
  });

  it('an ID token with the signature of another key is refused', async () => {
    issuer.key = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
    await issuer.expectFailure('unavailable');
  });

  it.each([{ alg: 'none' }, { alg: 'HS256' }, { kid: 'unknown' }])(
    'an ID token with the header %j is refused',
    async (header) => {
      issuer.header = header;
      await issuer.expectFailure('unavailable');
    },
  );
});
