import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Stage } from './read-secret.ts';
import { Secret } from './secret.ts';

const secretArn = process.env['SIGNING_SECRET_ARN'];
const signingSecret = secretArn === undefined ? new Secret('LOCAL_SECRET', readLocal) : new Secret(secretArn);

// The secret is read while the container starts, beside that of the origin. The first use of it gets a failure.
if (secretArn !== undefined) signingSecret.values().catch(() => undefined);

/** Reads the secret of the local run, which is never rotated. */
async function readLocal(variable: string, stage: Stage): Promise<string | undefined> {
  return stage === 'AWSCURRENT' ? process.env[variable] : undefined;
}

/** The current key for one purpose. It reveals neither another nor the signing secret. @throws Unavailable */
export async function ownKey(purpose: string): Promise<KeyObject> {
  const [secret = ''] = await signingSecret.values();
  return derived(secret, purpose);
}

/** The maximum age of the values for signatures that others check, in milliseconds. */
const recentMilliseconds = 300_000;

/**
 * The keys for one purpose from the current value of the signing secret and the one before it, the current one first:
 * a rotation breaks no signature that others check.
 * @throws Unavailable
 */
export const ownKeys = async (purpose: string): Promise<KeyObject[]> =>
  (await signingSecret.reread(recentMilliseconds)).map((secret) => derived(secret, purpose));

/** Whether a condition holds for a key of the purpose, also of a value that the container has to read. */
export const someOwnKey = (purpose: string, holds: (key: KeyObject) => boolean): Promise<boolean> =>
  signingSecret.some((secret) => holds(derived(secret, purpose)));

const keyBytes = 32;

/** Each request needs the key for its caller's address, and a list that of cursors. */
const made = new Map<string, KeyObject>();
const madeMax = 100;

/** HKDF-SHA256. The secret is long and random, so it needs no salt. */
function derived(secret: string, purpose: string): KeyObject {
  const name = `${purpose} ${secret}`;
  const before = made.get(name);
  if (before) return before;
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes)));
  if (made.size === madeMax) made.clear();
  made.set(name, key);
  return key;
}
