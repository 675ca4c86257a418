import type { Redirect } from '#lib/http/public-api.ts';
import { consolePath } from './paths.ts';
import { noLoginCookie } from './set-cookies.ts';

/** The reason of a failed sign-in, which the console gets (lib/spec/additions.md section 6, login). */
export type SignInFailureCode = 'cancelled' | 'expired' | 'not_a_member' | 'identity_mismatch' | 'unavailable';

/** Without a cause, it is no error of the service: anybody can send a request that fails in this way. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly code: SignInFailureCode;

  constructor(code: SignInFailureCode, options?: ErrorOptions) {
    super(`The sign-in failed: ${code}.`, options);
    this.code = code;
  }
}

/** The answer to a failed sign-in. An existing session stays. */
export const failing = {
  onFailure: (error: unknown): Redirect => ({
    location: `${consolePath}#/sign-in?error=${codeOf(error)}`,
    cookies: [noLoginCookie()],
    logDetails: { signInFailure: codeOf(error) },
  }),
  isOutage: (error: unknown): boolean =>
    codeOf(error) === 'unavailable' && !(error instanceof SignInFailure && error.cause === undefined),
};

const codeOf = (error: unknown): SignInFailureCode => (error instanceof SignInFailure ? error.code : 'unavailable');
