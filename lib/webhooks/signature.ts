import { createHmac, type KeyObject } from 'node:crypto';

/** What a signature covers (Standard Webhooks 1.0.0). */
export interface Signed {
  /** The event's id, the same in every attempt. */
  readonly id: string;
  /** The time of the attempt in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
  /** Each signs. */
  readonly secrets: readonly (KeyObject | Uint8Array)[];
}

/** A secret as receivers get it. */
export const secretText = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`;

/** The headers with which a receiver knows that a request is ours, recent and unchanged. */
export const signatureHeaders = ({ id, timestamp, body, secrets }: Signed) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' '),
});
