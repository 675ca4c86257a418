import { crc32 } from 'node:zlib';
import * as z from 'zod/mini';
import { orNull } from './defaults.ts';
import { RecordId } from './identifier.ts';
import { defaultPermissions, Permissions } from './permission.ts';
import { TimeStamp } from './time-stamp.ts';

const prefix = 'wsk_';
const randomLength = 43;
const checksumLength = 6;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const generatedPattern = /^wsk_[0-9A-Za-z]{49}$/;

/** Whether a secret has the form of one: 20 to 200 characters of 0x21 to 0x7E (decisions.md section 2). */
export const isWellFormedSecret = (secret: string): boolean => /^[\x21-\x7e]{20,200}$/.test(secret);

/** Whether a secret looks like a generated one but has been mistyped or cut (decisions.md section 2). */
export const generatedSecretHasBadChecksum = (secret: string): boolean =>
  generatedPattern.test(secret) && !secret.endsWith(checksumOf(secret.slice(0, -checksumLength)));

/**
 * A new secret (decisions.md section 2).
 * @param random 43 base62 characters of a cryptographic source
 */
export function generatedSecret(random: string): string {
  if (!new RegExp(`^[0-9A-Za-z]{${randomLength}}$`).test(random)) {
    throw new RangeError(`A secret is made of ${randomLength} base62 characters.`);
  }
  return prefix + random + checksumOf(prefix + random);
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let place = 0; place < checksumLength; place++) {
    checksum = digits[rest % digits.length] + checksum;
    rest = Math.floor(rest / digits.length);
  }
  return checksum;
}

const Secret = z.string().check(
  z.refine(isWellFormedSecret, 'Must be 20 to 200 printable ASCII characters without blanks.'),
  z.refine(
    (secret) => !generatedSecretHasBadChecksum(secret),
    'Must be the whole secret: its checksum does not match.',
  ),
);

/**
 * An API key as a workspace document holds it (workspace-document.md): with its secret, or with the SHA-256 of it in
 * lower-case hexadecimal, or with neither.
 */
export const ApiKey = z.strictObject({
  id: RecordId,
  name: z.string(),
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
