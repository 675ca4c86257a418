import { isWellFormedToken } from '#lib/domain/access/visitor-token.ts';
import { hashOfSecret } from '#lib/table/access/api-keys.ts';
import { findVisitor, keyOfToken, lastSeenVisitor } from '#lib/table/access/visitor-tokens.ts';
import { unauthorized } from '../errors.ts';
import type { Credential } from './credential.ts';

/** A visitor's token (lib/spec/additions.md section 4). */
export function visitorToken(token: string): Credential {
  if (!isWellFormedToken(token)) return { secret: token, find: async () => undefined, refusal: invalidToken };
  const tokenHash = hashOfSecret(token);
  return {
    secret: token,
    find: (table) => findVisitor(table, tokenHash),
    lastSeen: () => lastSeenVisitor(tokenHash),
    refusedKey: async (table) => {
      const stored = await keyOfToken(table, tokenHash);
      return stored && { workspaceId: stored.workspaceId, keyId: stored.keyId };
    },
    refusal: invalidToken,
  };
}

const invalidToken = () => unauthorized('invalid_api_key', "This visitor's token is not valid, or its hour is over.");
