import * as z from 'zod/mini';
import { orNull } from '../schema-rules.ts';
import { RecordId } from '../text/identifier.ts';
import { Name } from '../text/name.ts';
import { TimeStamp } from '../text/time-stamp.ts';
import { generatedSecretHasBadChecksum, isWellFormedSecret } from './key-secret.ts';
import { defaultPermissions, Permissions } from './permission.ts';

const Secret = z.string().check(
  z.refine(isWellFormedSecret, 'Must be 20 to 200 printable ASCII characters without blanks.'),
  z.refine(
    (secret) => !generatedSecretHasBadChecksum(secret),
    'Must be the whole secret: its checksum does not match.',
  ),
);

/**
 * An API key of a workspace document (lib/spec/workspace-document.md section 4). It has its secret, the lower-case
 * hexadecimal SHA-256 of the secret, or neither.
 */
export const ApiKey = z.strictObject({
  id: RecordId,
  name: Name,
  secret: z.optional(Secret),
  secretHash: z.optional(
    z.string().check(z.regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 in lower-case hexadecimal (64 digits).')),
  ),
  memberId: orNull(RecordId),
  permissions: z._default(Permissions, () => [...defaultPermissions]),
  expiresAt: orNull(TimeStamp),
  revokedAt: orNull(TimeStamp),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Whether a key is neither revoked nor expired. */
export function isInForce({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>): boolean {
  const now = new Date().toISOString();
  return [revokedAt, expiresAt].every((end) => end === null || end > now);
}

/** The maximum number of keys of a member (lib/spec/additions.md section 2, granting). */
export const memberKeysMax = 50;
