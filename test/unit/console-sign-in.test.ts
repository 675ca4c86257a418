import { expect, it } from '@jest/globals';
import { signInFailure } from '#lib/console/app/data/error-text.ts';
import { texts } from '#lib/console/app/texts/texts.ts';

it.each(['en', 'ar'] as const)('the sign-in page explains in %s why a sign-in failed', (language) => {
  const t = texts[language];
  const codes = ['cancelled', 'expired', 'not_a_member', 'identity_mismatch', 'unavailable'];
  expect(codes.map((code) => signInFailure(code, language))).toEqual([
    t.errorCancelled,
    t.errorExpired,
    t.errorNotAMember,
    t.errorIdentityMismatch,
    t.errorUnavailable,
  ]);
});

it.each(['__proto__', 'constructor', 'toString', '', '<b>'])(
  'the error %j in the URL of the sign-in page is shown like an unknown error',
  (code) => {
    expect(signInFailure(code, 'en')).toBe(texts.en.errorUnavailable);
  },
);
