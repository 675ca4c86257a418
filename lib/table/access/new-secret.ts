import { randomBytes } from 'node:crypto';
import { generatedSecret } from '#lib/domain/access/key-secret.ts';
import { visitorTokenOf } from '#lib/domain/access/visitor-token.ts';

/** A new API key's secret (lib/spec/decisions.md section 2). */
export const newSecret = (): string => generatedSecret(randomText());

/** A new visitor's token (lib/spec/additions.md section 4). */
export const newVisitorToken = (): string => visitorTokenOf(randomText());

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 43 base62 characters of a cryptographic source: a little more than 256 bits. */
export function randomText(): string {
  let random = '';
  while (random.length < 43) {
    // 248 is the largest multiple of 62 in a byte. Larger bytes would make some digits more likely than others.
    for (const byte of randomBytes(64)) if (byte < 248 && random.length < 43) random += digits[byte % 62];
  }
  return random;
}
