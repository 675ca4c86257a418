import * as z from 'zod/mini';
import type { WorkspaceEvent } from '../events/workspace-event.ts';

/** Why an attempt has failed. The receiver's answer is never stored. */
export const DeliveryError = z.enum([
  'timeout',
  'connection',
  'tls',
  'dns',
  'blocked_address',
  'http_status',
  'too_large',
  'key_refused',
]);
export type DeliveryError = z.infer<typeof DeliveryError>;

export const DeliveryAttempt = z.strictObject({
  at: z.string(),
  milliseconds: z.number(),
  httpStatus: z.nullable(z.number()),
  /** Null if it has succeeded. */
  error: z.nullable(DeliveryError),
});
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

/** `pending`: due at `nextAt`. `failed`: no attempt is left. `parked`: the webhook is disabled. */
export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed', 'parked']);

/** An event on its way to a webhook (lib/spec/additions.md section 5). */
export const Delivery = z.strictObject({
  id: z.string(),
  eventId: z.string(),
  type: z.string(),
  status: DeliveryStatus,
  /** The last ten. */
  attempts: z.array(DeliveryAttempt),
  nextAt: z.nullable(z.string()),
});
export type Delivery = z.infer<typeof Delivery>;

/** A delivery with what only the service needs. */
export interface StoredDelivery extends Delivery {
  /** The attempts that count, also those that are no longer listed. */
  readonly made: number;
  /** Somebody has asked for an attempt at once, even if the receiver wants none now. */
  readonly isForced?: true;
  /** The event, if it is in no feed: a test. It is sent once, and its webhook may be disabled. */
  readonly test?: WorkspaceEvent;
}

export const attemptsListed = 10;
