import * as z from 'zod/mini';
import { Actor } from '../access/audit-event.ts';
import type { Principal } from '../access/principal.ts';

/** What happened to a record, the second part of an event's type. */
export type EventAction =
  | 'created'
  | 'updated'
  | 'deleted'
  | 'published'
  | 'unpublished'
  | 'availability_changed'
  | 'imported'
  | 'disabled';

/** The author of an event: that of a change in management, a customer with a visitor's token, or an agent. */
export const EventActor = z.extend(Actor, { type: z.enum([...Actor.shape.type.options, 'customer', 'agent']) });
export type EventActor = z.infer<typeof EventActor>;

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

/** Who made a change, and with which request. */
export type EventAuthor = Pick<WorkspaceEvent, 'actor' | 'requestId'>;

/** The author of a request. A visitor is the customer of its conversation, not the key that has issued its token. */
export const authorOf = ({ visitor, actor }: Principal, requestId: string): EventAuthor => ({
  actor: visitor ? { type: 'customer', id: visitor.customerId, name: 'Customer' } : actor,
  requestId,
});

/** What an event says of a change beside its paths. */
export interface Happened {
  /** Absent where it follows from the action of the audit event. */
  readonly event?: EventAction;
  /** The record was a draft before and after the change. */
  readonly draft?: true;
}

interface Publishable {
  readonly published?: boolean;
}

const availability: ReadonlySet<string> = new Set(['soldout', 'soldoutUntil', 'optionSets']);

/**
 * What an event says of a change of an entry, a product or another record.
 * @param before undefined for a new record @param after undefined for a removed one
 * @param changed the paths of an update
 */
export function happened(
  recordKind: string,
  before: Publishable | undefined,
  after: Publishable | undefined,
  changed: readonly string[],
): Happened {
  if (recordKind !== 'cms-entries' && recordKind !== 'menu-products') return {};
  const was = before?.published;
  const is = after?.published;
  const draft = was === true || is === true ? {} : ({ draft: true } as const);
  if (!before || !after) return draft;
  if (was !== is) return { event: is ? 'published' : 'unpublished' };
  const isAvailability = recordKind === 'menu-products' && changed.every((path) => availability.has(path));
  return { ...draft, ...(isAvailability && { event: 'availability_changed' }) };
}
