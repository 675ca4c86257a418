import { randomBytes } from 'node:crypto';

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
