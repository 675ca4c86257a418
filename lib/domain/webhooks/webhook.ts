import * as z from 'zod/mini';
import { orTrue, unique } from '../schema-rules.ts';
import { RecordId } from '../text/identifier.ts';
import { nameOrNull } from '../text/name.ts';
import { TimeStamp } from '../text/time-stamp.ts';

/** The maximum number of webhooks of a workspace. */
export const webhooksMax = 20;

/**
 * An address to which the events of a workspace are sent (lib/spec/additions.md section 5, webhooks). It gets what its
 * key may read.
 */
export const Webhook = z.strictObject({
  id: RecordId,
  url: z.string(),
  types: z
    .array(z.string())
    .check(z.minLength(1, 'Must have a type.'), z.maxLength(50, 'Must be at most 50 types.'), unique()),
  description: nameOrNull(z.string().check(z.maxLength(500, 'Must be at most 500 characters.'))),
  enabled: orTrue(),
  apiKeyId: RecordId,
  /** Only the service writes it: `gone`, as the receiver says, or `failing`, after days without a success. */
  disabledReason: z._default(z.nullable(z.string()), null),
  createdAt: TimeStamp,
  updatedAt: TimeStamp,
});
export type Webhook = z.infer<typeof Webhook>;

/** A webhook with what its secrets are derived from (lib/webhooks/signature.ts). No answer shows that. */
export interface StoredWebhook extends Webhook {
  /** Random, so that no other secret of a webhook with this id is the same. */
  readonly secretVersion: string;
  /** When it was made, whatever its `createdAt` says. It gets later events. */
  readonly madeAt: string;
  /** The version before the last rotation, which counts until then. */
  readonly formerSecret?: { readonly version: string; readonly until: string };
  /** The last times in which it was disabled: events of them make no deliveries, whenever they are read. */
  readonly pauses: readonly { readonly from: string; readonly until?: string }[];
}

const pausesKept = 10;

/** The pauses after a write. @param at the time of the write */
export function pausesAfter(
  pauses: StoredWebhook['pauses'] = [],
  enabled: boolean,
  at: string,
): StoredWebhook['pauses'] {
  const last = pauses.at(-1);
  const isPaused = last !== undefined && last.until === undefined;
  if (isPaused !== enabled) return pauses;
  return enabled && last
    ? [...pauses.slice(0, -1), { ...last, until: at }]
    : [...pauses.slice(1 - pausesKept), { from: at }];
}

export const wasEnabled = ({ pauses }: StoredWebhook, at: string): boolean =>
  pauses.every(({ from, until }) => at < from || (until !== undefined && at >= until));

/** The members of a webhook that answers show. */
export function shownWebhook({ secretVersion, formerSecret, madeAt, pauses, ...shown }: StoredWebhook): Webhook {
  return shown;
}
