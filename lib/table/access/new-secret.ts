import { randomBytes } from 'node:crypto';
import { checksumOf } from '#lib/domain/access/key-secret.ts';
import { visitorTokenPrefix } from '#lib/domain/access/visitor-token.ts';

/**
 * The cell of this stack, which begins the text of each key and visitor's token: two base62 characters. With several
 * stacks behind one address, the edge tells by them which stack has a caller's workspace (lib/infra/scale.md).
 */
const cell = '00';

/** A new API key's secret (lib/spec/decisions.md section 2). */
export const newSecret = (): string => generatedSecret(cell + randomText().slice(cell.length));

const prefix = 'wsk_';
const randomLength = 43;

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

/** A new visitor's token (lib/spec/additions.md section 4). */
export const newVisitorToken = (): string => visitorTokenPrefix + cell + randomText().slice(cell.length);

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 43 base62 characters of a cryptographic source: a little more than 256 bits. */
export function randomText(): string {
  let random = '';
  while (random.length < randomLength) {
    // 248 is the largest multiple of 62 in a byte. Larger bytes would make some digits more likely than others.
    for (const byte of randomBytes(64)) if (byte < 248 && random.length < randomLength) random += digits[byte % 62];
  }
  return random;
}
