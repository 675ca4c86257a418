import { sessionSecondsMax } from '#lib/domain/access/session.ts';
import { publicUrl } from './public-url.ts';
import type { ApiEvent } from './request-state.ts';

type CookieName = 'session' | 'login';

/** Browsers send a `__Host-` cookie only to this host and only over HTTPS. The local run has no HTTPS. */
const isPlain = (): boolean => publicUrl()?.startsWith('http:') ?? false;
const nameOf = (name: CookieName): string => (isPlain() ? name : `__Host-${name}`);

/** The value of a cookie of this service. @returns undefined if it was not sent, or is empty */
export function cookieOf(
  { cookies, headers }: Pick<ApiEvent, 'headers'> & { readonly cookies?: readonly string[] },
  name: CookieName,
): string | undefined {
  const sent = cookies ?? (headers['cookie'] ?? '').split(';');
  const start = `${nameOf(name)}=`;
  return (
    sent
      .map((cookie) => cookie.trim())
      .find((cookie) => cookie.startsWith(start))
      ?.slice(start.length) || undefined
  );
}

/** The `Set-Cookie` of a session. Scripts cannot read it, and requests from other sites do not carry it. */
export const sessionCookie = (value: string): string => written('session', value, 'Strict', sessionSecondsMax);

/** The `Set-Cookie` of a login. The browser must send it when the identity provider, another site, redirects back. */
export const loginCookie = (value: string, seconds: number): string => written('login', value, 'Lax', seconds);

export const noSessionCookie = (): string => written('session', '', 'Strict', 0);
export const noLoginCookie = (): string => written('login', '', 'Lax', 0);

const written = (name: CookieName, value: string, sameSite: 'Strict' | 'Lax', seconds: number): string =>
  [
    `${nameOf(name)}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    ...(isPlain() ? [] : ['Secure']),
    `SameSite=${sameSite}`,
  ].join('; ');
