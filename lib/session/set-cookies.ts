import { sessionSecondsMax } from '#lib/domain/access/session.ts';
import { type CookieName, cookieName, isPlain } from '#lib/http/cookies.ts';

/** The `Set-Cookie` of a session. Scripts cannot read it, and requests from other sites do not carry it. */
export const sessionCookie = (value: string): string => written('session', value, 'Strict', sessionSecondsMax);

/** The `Set-Cookie` of a login. The browser must send it when the identity provider, another site, redirects back. */
export const loginCookie = (value: string, seconds: number): string => written('login', value, 'Lax', seconds);

export const noSessionCookie = (): string => written('session', '', 'Strict', 0);
export const noLoginCookie = (): string => written('login', '', 'Lax', 0);

const written = (name: CookieName, value: string, sameSite: 'Strict' | 'Lax', seconds: number): string =>
  [
    `${cookieName(name)}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    ...(isPlain() ? [] : ['Secure']),
    `SameSite=${sameSite}`,
  ].join('; ');
