import type { ApiEvent } from './exchange.ts';
import { originHeader } from './origin-header.ts';

/** Shorter texts are no credentials, and would be found in any line. */
const charactersMin = 8;

/** All that a request carries in the places of credentials, whether or not its route reads them. */
export function credentialsOf({ headers, rawQueryString }: Pick<ApiEvent, 'headers' | 'rawQueryString'>): string[] {
  const { authorization = '', 'x-api-key': key = '', cookie = '', [originHeader]: origin = '' } = headers;
  const inQuery = new URLSearchParams(rawQueryString).getAll('apiKey');
  const bearer = authorization.trim().split(/\s+/).slice(1);
  return [authorization, ...bearer, key, cookie, origin, ...inQuery].filter(({ length }) => length >= charactersMin);
}
