import { originHeader } from './origin-header.ts';
import type { ApiEvent } from './request-state.ts';

/** Shorter strings are not credentials, and could be part of any word. */
const charactersMin = 8;

/** All credentials that a request carries, even those that its route does not read. */
export function credentialsOf({
  headers,
  rawQueryString,
  cookies = [],
}: Pick<ApiEvent, 'headers' | 'rawQueryString' | 'cookies'>): string[] {
  const { authorization = '', 'x-api-key': key = '', cookie = '', [originHeader]: origin = '' } = headers;
  const query = new URLSearchParams(rawQueryString);
  // `code` and `state` belong to a sign-in.
  const inQuery = ['apiKey', 'code', 'state'].flatMap((name) => query.getAll(name));
  const values = [...cookies, ...cookie.split(/;\s*/)].flatMap((pair) => [pair, pair.slice(pair.indexOf('=') + 1)]);
  const bearer = authorization.trim().split(/\s+/).slice(1);
  return [authorization, ...bearer, key, cookie, origin, ...inQuery, ...values].filter(
    ({ length }) => length >= charactersMin,
  );
}
