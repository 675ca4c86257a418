import { createHmac, type KeyObject } from 'node:crypto';
import type { StoredWebhook } from '#lib/domain/webhooks/webhook.ts';
import { keyOf, ownKey, signingSecret } from '#lib/secrets/own-key.ts';

/** What a signature covers (Standard Webhooks 1.0.0). */
interface Signed {
  /** The event's id, the same in every attempt. */
  readonly id: string;
  /** The time of the attempt in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
  /** Each signs. */
  readonly secrets: readonly (KeyObject | Uint8Array)[];
}

export const secretText = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`;

/** The headers with which a receiver knows that a request is ours, recent and unchanged. */
export const signatureHeaders = ({ id, timestamp, body, secrets }: Signed) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' '),
});

/** Each webhook and version has a key of its own. Ids contain no blanks. */
const purposeOf = (workspaceId: string, id: string, version: string): string =>
  `webhook ${workspaceId} ${id} ${version}`;

/** The secret in the form of Standard Webhooks, for the one answer that shows it. @throws Unavailable */
export async function newSecretOf(workspaceId: string, id: string, version: string): Promise<string> {
  const key = await ownKey(purposeOf(workspaceId, id, version));
  return secretText(key.export());
}

/** Receivers check signatures, so a rotation of the signing secret counts after this time, in milliseconds. */
const recentMilliseconds = 300_000;

/**
 * The secrets that count: the current one first, then the former one until its grace ends. Each is followed by the same
 * from the signing secret of the stack before its last rotation, so that receivers outlive that rotation.
 * @param now milliseconds since 1970 @throws Unavailable
 */
export async function secretsOf(
  workspaceId: string,
  { id, secretVersion, formerSecret }: Pick<StoredWebhook, 'id' | 'secretVersion' | 'formerSecret'>,
  now: number,
): Promise<readonly KeyObject[]> {
  const isInGrace = formerSecret !== undefined && now < Date.parse(formerSecret.until);
  const versions = [secretVersion, ...(isInGrace ? [formerSecret.version] : [])];
  const values = await signingSecret.reread(recentMilliseconds);
  return versions.flatMap((version) => values.map((value) => keyOf(value, purposeOf(workspaceId, id, version))));
}
