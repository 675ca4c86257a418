import * as z from 'zod/mini';
import { Actor } from '../access/audit-event.ts';
import { effectivePermissions } from '../access/effective-permissions.ts';
import type { Principal } from '../access/principal.ts';

/**
 * The author of an event: that of a change in management, a customer with a visitor's token, an agent, or the service
 * itself, which has no id, like a schedule.
 */
export const EventActor = z.extend(Actor, {
  type: z.enum([...Actor.shape.type.options, 'customer', 'agent', 'system']),
});

/** One change of one record, without values (lib/spec/additions.md section 5). */
export const WorkspaceEvent = z.strictObject({
  /** Sorts by time. */
  id: z.string(),
  /** Such as `menu_product.updated`. */
  type: z.string(),
  at: z.string(),
  /** The kind in addresses, e.g. `menu-products`. */
  kind: z.string(),
  /** For an entry `modelId/id`, for a message `conversationId/messageId`. */
  recordId: z.string(),
  changed: z.array(z.string()),
  actor: EventActor,
  /** Null where no request made the change. */
  requestId: z.nullable(z.string()),
});
export type WorkspaceEvent = z.infer<typeof WorkspaceEvent>;

/** Events are kept for so long, in milliseconds. */
export const eventsKeptMilliseconds = 30 * 24 * 60 * 60_000;

/** Who made a change, and with which request. */
export type EventAuthor = Pick<WorkspaceEvent, 'actor' | 'requestId'>;

/** The author of a request. A visitor is the customer of its conversation, not the key that has issued its token. */
export const authorOf = ({ visitor, actor }: Principal, requestId: string): EventAuthor => ({
  actor: visitor ? { type: 'customer', id: visitor.customerId, name: 'Customer' } : actor,
  requestId,
});

/** @returns the changed paths of an event that a caller sees */
export function changedSeenBy(
  principal: Principal,
): (event: { readonly changed: readonly string[]; readonly hidden: readonly string[] }) => string[] {
  const seesHidden = effectivePermissions(principal).has('cms:entry:read-hidden');
  return ({ changed, hidden }) => changed.filter((path) => seesHidden || !hidden.includes(path));
}
