import { generatedSecretHasBadChecksum, isWellFormedSecret } from '#lib/domain/access/key-secret.ts';
import { findPrincipal, hashOfSecret, lastSeenPrincipal, storedKeyOf } from '#lib/table/access/api-keys.ts';
import type { Credential } from './credential.ts';
import { invalidKey } from './request-key.ts';

/** An API key (lib/spec/decisions.md section 2). */
export function apiKey(secret: string): Credential {
  if (!mayExist(secret)) return { secret, find: async () => undefined, refusal: invalidKey };
  const secretHash = hashOfSecret(secret);
  return {
    secret,
    find: (table) => findPrincipal(table, secretHash),
    lastSeen: () => lastSeenPrincipal(secretHash),
    refusedKey: (table) => storedKeyOf(table, secretHash),
    refusal: invalidKey,
  };
}

/** Saves the look-up of malformed keys, which cannot be stored. */
const mayExist = (secret: string): boolean => isWellFormedSecret(secret) && !generatedSecretHasBadChecksum(secret);
