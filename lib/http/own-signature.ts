import { createHmac, timingSafeEqual } from 'node:crypto';
import { originSecret } from './origin.ts';

/** The secret of the local run. */
function localSecret(): string {
  const secret = process.env['LOCAL_SECRET'];
  if (secret === undefined) throw new Error('Neither ORIGIN_SECRET_ARN nor LOCAL_SECRET is set.');
  return secret;
}

/**
 * Signs a text that this service hands out and gets back, e.g. a cookie.
 * @param purpose keeps the texts of different uses apart
 * @returns 43 characters of `A-Z a-z 0-9 _ -` @throws Unavailable
 */
export async function signatureOf(purpose: string, text: string): Promise<string> {
  const [secret = localSecret()] = (await originSecret?.values()) ?? [];
  return signed(secret, purpose, text).toString('base64url');
}

/**
 * Whether this service has signed a text, in any container. An unknown signature makes the container read the secret
 * again, because another one may have a newer value.
 * @throws Unavailable
 */
export async function isSigned(purpose: string, text: string, signature: string): Promise<boolean> {
  const sent = Buffer.from(signature, 'base64url');
  // A signature has several spellings in Base64. Only that of `signatureOf` counts.
  if (sent.toString('base64url') !== signature) return false;
  const isOf = (secret: string): boolean => {
    const own = signed(secret, purpose, text);
    return own.length === sent.length && timingSafeEqual(own, sent);
  };
  return originSecret ? originSecret.some(isOf) : isOf(localSecret());
}

const signed = (secret: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', `${purpose} ${secret}`).update(text).digest();
