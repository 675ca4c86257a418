import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Secret } from './secret.ts';

const secretArn = process.env['SIGNING_SECRET_ARN'];
const signingSecret = secretArn === undefined ? undefined : new Secret(secretArn);

// The secret is read while the container starts, beside that of the origin. The first use of it gets a failure.
signingSecret?.values().catch(() => undefined);

/** The secret of the local run. */
function localSecret(): string {
  const secret = process.env['LOCAL_SECRET'];
  if (secret === undefined) throw new Error('Neither SIGNING_SECRET_ARN nor LOCAL_SECRET is set.');
  return secret;
}

/**
 * The current key for one purpose. All are derived from the signing secret, so that none reveals another.
 * @throws Unavailable
 */
export async function ownKey(purpose: string): Promise<Uint8Array> {
  const [secret = localSecret()] = (await signingSecret?.values()) ?? [];
  return derived(secret, purpose);
}

const keyBytes = 32;

/** HKDF-SHA256. The secret is long and random, so it needs no salt. */
const derived = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, keyBytes));

/**
 * Signs a text that this service hands out and gets back, e.g. a cookie.
 * @param purpose keeps the texts of different uses apart
 * @returns 43 characters of `A-Z a-z 0-9 _ -` @throws Unavailable
 */
export async function signatureOf(purpose: string, text: string): Promise<string> {
  return signed(await ownKey(purpose), text).toString('base64url');
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
    const own = signed(derived(secret, purpose), text);
    return own.length === sent.length && timingSafeEqual(own, sent);
  };
  return signingSecret ? signingSecret.some(isOf) : isOf(localSecret());
}

const signed = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();
