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
}

/** The members of a webhook that answers show. */
export function shownWebhook({ secretVersion, formerSecret, madeAt, ...shown }: StoredWebhook): Webhook {
  return shown;
}
