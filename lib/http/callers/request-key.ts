import type { Endpoint, KeyLocation } from '../endpoint.ts';
import { unauthorized } from '../errors.ts';
import type { ApiEvent } from '../request-state.ts';

export interface RequestKey {
  readonly secret: string;
  readonly isBearer: boolean;
}

/**
 * The key or token of a request, in the locations of the declaration (lib/spec/decisions.md section 2).
 * @returns undefined without one
 * @throws 401 for two
 */
export function requestKey({ keyIn }: Pick<Endpoint, 'keyIn'>, event: ApiEvent): RequestKey | undefined {
  const credentials = keyIn.flatMap((location) => readers[location](event).map((secret) => ({ secret, location })));
  const [secret, ...others] = new Set(credentials.map(({ secret }) => secret));
  if (others.length > 0) throw invalidKey();
  return secret === undefined
    ? undefined
    : { secret, isBearer: credentials.some(({ location }) => location === 'bearer') };
}

/** Whether a request carries a key or token anywhere, even where its route does not look. */
export const carriesKey = ({ headers, state }: ApiEvent): boolean =>
  bearerCredential(headers['authorization'] ?? '').length > 0 ||
  (headers['x-api-key'] ?? '') !== '' ||
  state.queryString.getAll('apiKey').some(Boolean);

export const missingKey = ({ keyIn }: Pick<Endpoint, 'keyIn'>) =>
  unauthorized('missing_api_key', `Send an API key ${locationsText(keyIn)}.`);

export const invalidKey = () => unauthorized('invalid_api_key', 'This API key is not valid.');

/** Each reader returns the credentials of one location. An empty one is treated as absent. */
const readers: Record<KeyLocation, (event: ApiEvent) => string[]> = {
  bearer: ({ headers }) => bearerCredential(headers['authorization'] ?? ''),
  'x-api-key': ({ headers }) => [headers['x-api-key'] ?? ''].filter(Boolean),
  query: ({ state }) => {
    const values = state.queryString.getAll('apiKey');
    if (values.length > 1) throw invalidKey();
    return values.filter(Boolean);
  },
};

function bearerCredential(authorization: string): string[] {
  const [scheme = '', ...rest] = authorization.trim().split(' ');
  const credential = rest.join(' ').trim();
  return scheme.toLowerCase() === 'bearer' && credential !== '' ? [credential] : [];
}

const locationText: Record<KeyLocation, string> = {
  bearer: 'as "Authorization: Bearer <API_KEY>"',
  'x-api-key': 'in the x-api-key header',
  query: 'in the apiKey query parameter',
};

const locationsText = (locations: readonly KeyLocation[]): string =>
  locations.map((location) => locationText[location]).join(' or ');
