import { randomBytes } from 'node:crypto';
import { generatedSecret } from '#lib/domain/access/key-secret.ts';

/** A new API key's secret (lib/spec/decisions.md section 2). */
export function newSecret(): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let random = '';
  while (random.length < 43) {
    // 248 is the largest multiple of 62 in a byte: what lies above it would make some digits likelier than others.
    for (const byte of randomBytes(64)) if (byte < 248 && random.length < 43) random += digits[byte % 62];
  }
  return generatedSecret(random);
}
