import { crc32 } from 'node:zlib';
import * as z from 'zod/mini';

const prefix = 'wsk_';
const randomLength = 43;
const checksumLength = 6;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const generatedPattern = /^wsk_[0-9A-Za-z]{49}$/;

/** The maximum grace period of a rotated key's former secret: seven days (lib/spec/additions.md section 2, keys). */
export const graceSecondsMax = 604_800;

const graceRule = `Must be from 0 to ${graceSecondsMax}, which are seven days.`;

/** How long a former secret stays valid, in the body of a rotation. */
export const GraceSeconds = z._default(
  z.int('Must be a whole number.').check(z.minimum(0, graceRule), z.maximum(graceSecondsMax, graceRule)),
  0,
);

/** Whether a secret is well formed: 20 to 200 characters of 0x21 to 0x7E (lib/spec/decisions.md section 2). */
export const isWellFormedSecret = (secret: string): boolean => /^[\x21-\x7e]{20,200}$/.test(secret);

/** Whether a secret looks like a generated one but was mistyped or cut off (lib/spec/decisions.md section 2). */
export const generatedSecretHasBadChecksum = (secret: string): boolean =>
  generatedPattern.test(secret) && !secret.endsWith(checksumOf(secret.slice(0, -checksumLength)));

/** Whether this service generated a secret, with at least 244 random bits. */
export const isGeneratedSecret = (secret: string): boolean =>
  generatedPattern.test(secret) && !generatedSecretHasBadChecksum(secret);

/**
 * A new secret (lib/spec/decisions.md section 2).
 * @param random 43 base62 characters: those of the cell, and of a cryptographic source
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
  for (let digit = 0; digit < checksumLength; digit++) {
    checksum = digits[rest % digits.length] + checksum;
    rest = Math.floor(rest / digits.length);
  }
  return checksum;
}
