import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { keyOf, ownKey, signingSecret } from './own-key.ts';

/**
 * Signs a text that this service hands out and gets back, e.g. a cookie.
 * @param purpose keeps the texts of different uses apart
 * @returns 43 characters of `A-Z a-z 0-9 _ -` @throws Unavailable
 */
export async function signatureOf(purpose: string, text: string): Promise<string> {
  return signed(await ownKey(purpose), text).toString('base64url');
}

/** Whether this service has signed a text, in any container. @throws Unavailable */
export async function isSigned(purpose: string, text: string, signature: string): Promise<boolean> {
  const sent = Buffer.from(signature, 'base64url');
  // A signature has several spellings in Base64. Only that of `signatureOf` counts.
  if (sent.toString('base64url') !== signature) return false;
  return signingSecret.some((secret) => {
    const own = signed(keyOf(secret, purpose), text);
    return own.length === sent.length && timingSafeEqual(own, sent);
  });
}

const signed = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest();
