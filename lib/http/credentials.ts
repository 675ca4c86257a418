import { originHeader } from './origin-header.ts';
import type { ApiEvent } from './request-state.ts';

/** Shorter texts are no credentials, and would be found in any line. */
const charactersMin = 8;

/** All that a request carries in the places of credentials, whether or not its route reads them. */
export function credentialsOf({
  headers,
  rawQueryString,
  cookies = [],
}: Pick<ApiEvent, 'headers' | 'rawQueryString' | 'cookies'>): string[] {
  const { authorization = '', 'x-api-key': key = '', cookie = '', [originHeader]: origin = '' } = headers;
  const query = new URLSearchParams(rawQueryString);
  // Code and state are those of a sign-in.
  const inQuery = ['apiKey', 'code', 'state'].flatMap((name) => query.getAll(name));
  const values = [...cookies, ...cookie.split(/;\s*/)].flatMap((one) => [one, one.slice(one.indexOf('=') + 1)]);
  const bearer = authorization.trim().split(/\s+/).slice(1);
  return [authorization, ...bearer, key, cookie, origin, ...inQuery, ...values].filter(
    ({ length }) => length >= charactersMin,
  );
}
