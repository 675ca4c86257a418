import { crc32 } from 'node:zlib';

const checksumLength = 6;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const generatedPattern = /^wsk_[0-9A-Za-z]{49}$/;

/** Whether a secret is well formed: 20 to 200 characters of 0x21 to 0x7E (lib/spec/decisions.md section 2). */
export const isWellFormedSecret = (secret: string): boolean => /^[\x21-\x7e]{20,200}$/.test(secret);

/** Whether a secret looks like a generated one but was mistyped or cut off (lib/spec/decisions.md section 2). */
export const generatedSecretHasBadChecksum = (secret: string): boolean =>
  generatedPattern.test(secret) && !secret.endsWith(checksumOf(secret.slice(0, -checksumLength)));

/** Whether this service generated a secret, with at least 244 random bits. */
export const isGeneratedSecret = (secret: string): boolean =>
  generatedPattern.test(secret) && !generatedSecretHasBadChecksum(secret);

/** The last characters of a generated secret, made of the others. */
export function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let digit = 0; digit < checksumLength; digit++) {
    checksum = digits[rest % digits.length] + checksum;
    rest = Math.floor(rest / digits.length);
  }
  return checksum;
}
