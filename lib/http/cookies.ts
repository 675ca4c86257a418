import { publicUrl } from './public-url.ts';
import type { ApiEvent } from './request-state.ts';

export type CookieName = 'session' | 'login';

/** Browsers send a `__Host-` cookie only to this host and only over HTTPS. The local run has no HTTPS. */
export const isPlain = (): boolean => publicUrl()?.startsWith('http:') ?? false;
export const cookieName = (name: CookieName): string => (isPlain() ? name : `__Host-${name}`);

/** The value of a cookie of this service. @returns undefined if it was not sent, or is empty */
export function cookieOf(
  { cookies, headers }: Pick<ApiEvent, 'headers'> & { readonly cookies?: readonly string[] },
  name: CookieName,
): string | undefined {
  const sent = cookies ?? (headers['cookie'] ?? '').split(';');
  const start = `${cookieName(name)}=`;
  return (
    sent
      .map((cookie) => cookie.trim())
      .find((cookie) => cookie.startsWith(start))
      ?.slice(start.length) || undefined
  );
}
