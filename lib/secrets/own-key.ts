import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Stage } from './read-secret.ts';
import { Secret } from './secret.ts';

const secretArn = process.env['SIGNING_SECRET_ARN'];
/** The secret from which all own keys are derived. */
export const signingSecret = secretArn === undefined ? new Secret('LOCAL_SECRET', readLocal) : new Secret(secretArn);

// The secret is read while the container starts, beside that of the origin. The first use of it gets a failure.
if (secretArn !== undefined) signingSecret.values().catch(() => undefined);

/** Reads the secret of the local run, which is never rotated. */
async function readLocal(variable: string, stage: Stage): Promise<string | undefined> {
  return stage === 'AWSCURRENT' ? process.env[variable] : undefined;
}

/** The current key for one purpose. It reveals neither another nor the signing secret. @throws Unavailable */
export async function ownKey(purpose: string): Promise<KeyObject> {
  const [secret = ''] = await signingSecret.values();
  return keyOf(secret, purpose);
}

const keyBytes = 32;

/** Each request needs the key for its caller's address, and a list that of cursors. */
const made = new Map<string, KeyObject>();
const madeMax = 100;

/** The key that a value of the secret has for a purpose: HKDF-SHA256. A long, random secret needs no salt. */
export function keyOf(secret: string, purpose: string): KeyObject {
  const name = `${purpose} ${secret}`;
  const before = made.get(name);
  if (before) return before;
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes)));
  if (made.size === madeMax) made.clear();
  made.set(name, key);
  return key;
}
