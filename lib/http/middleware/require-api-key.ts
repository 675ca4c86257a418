import { generatedSecretHasBadChecksum, isWellFormedSecret } from '#lib/domain/access/key-secret.ts';
import { findPrincipal, guessPrincipal, hashOfSecret, storedKeyOf } from '#lib/table/access/api-keys.ts';
import type { Endpoint, KeyPlace } from '../endpoint.ts';
import { unauthorized } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';
import type { Speculate } from '../speculation.ts';
import { openedTable } from './open-table.ts';

/**
 * Identifies the caller by the API key, where the declaration reads it (lib/spec/decisions.md section 2).
 * @throws 401 with one text for every key that does not count, so that nothing can be learnt about keys
 * @param speculate begins the work of the request for the caller that the key belonged to when it was read last
 */
export const requireApiKey = ({ keyIn }: Pick<Endpoint, 'keyIn'>, speculate?: Speculate) => ({
  before: async ({ event }: { event: ApiEvent }) => {
    const { exchange } = event;
    const given = new Set(keyIn.flatMap((place) => readers[place](event)));
    const [secret, ...others] = given;
    if (secret === undefined) throw unauthorized('missing_api_key', `Send an API key ${placesInWords(keyIn)}.`);
    if (others.length > 0 || !mayExist(secret)) throw invalidKey();
    const secretHash = hashOfSecret(secret);
    const reading = findPrincipal(openedTable(exchange), secretHash);
    const guess = speculate && guessPrincipal(secretHash);
    if (guess) speculate(event, guess);
    const principal = await reading;
    if (!principal) {
      const refused = await storedKeyOf(openedTable(exchange), secretHash);
      if (refused) exchange.refusedKey = refused;
      throw invalidKey();
    }
    exchange.principal = principal;
  },
});

/** Saves the look-up of what cannot be stored, above all of mistyped keys. */
const mayExist = (secret: string): boolean => isWellFormedSecret(secret) && !generatedSecretHasBadChecksum(secret);

const invalidKey = () => unauthorized('invalid_api_key', 'This API key is not valid.');

/** Each returns the credentials found in its place; an empty one counts as absent. */
const readers: Record<KeyPlace, (event: ApiEvent) => string[]> = {
  bearer: ({ headers }) => bearerCredential(headers['authorization'] ?? ''),
  'x-api-key': ({ headers }) => [headers['x-api-key'] ?? ''].filter(Boolean),
  query: ({ exchange }) => {
    const given = exchange.queryString.getAll('apiKey');
    if (given.length > 1) throw invalidKey();
    return given.filter(Boolean);
  },
};

function bearerCredential(authorization: string): string[] {
  const [scheme = '', ...rest] = authorization.trim().split(' ');
  const credential = rest.join(' ').trim();
  return scheme.toLowerCase() === 'bearer' && credential !== '' ? [credential] : [];
}

const placeInWords: Record<KeyPlace, string> = {
  bearer: 'as "Authorization: Bearer <API_KEY>"',
  'x-api-key': 'in the x-api-key header',
  query: 'in the apiKey query parameter',
};

const placesInWords = (places: readonly KeyPlace[]): string => places.map((place) => placeInWords[place]).join(' or ');
