import { expect, it } from '@jest/globals';
import { signInFailure } from '#lib/console/app/data/error-text.ts';
import { texts } from '#lib/console/app/texts/texts.ts';

it.each(['en', 'ar'] as const)('the sign-in page explains in %s why a sign-in failed', (language) => {
  const t = texts[language];
  const codes = ['cancelled', 'expired', 'not_a_member', 'identity_mismatch', 'unavailable'];
  expect(codes.map((code) => signInFailure(code, language))).toEqual([
    ...[t.errorCancelled, t.errorExpired, t.errorNotAMember, t.errorIdentityMismatch, t.errorUnavailable],
  ]);
});

it.each(['__proto__', 'constructor', 'toString', '', '<b>'])('%j in the address is a failure like others', (code) => {
  expect(signInFailure(code, 'en')).toBe(texts.en.errorUnavailable);
});
