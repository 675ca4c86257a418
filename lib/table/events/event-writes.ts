import type { EventAction } from '#lib/domain/events/happened.ts';
import { idPrefix } from '#lib/domain/events/position.ts';
import { eventsKeptMilliseconds, type WorkspaceEvent } from '#lib/domain/events/workspace-event.ts';
import { storedEvent } from '../access/audit-events.ts';
import { newChangeId, timeOf } from '../log/change-log.ts';
import type { TransactItem, WorkspaceScope } from '../table.ts';
import { eventKeys } from './keys.ts';

/** An event before it gets its id and time. */
export type NewEvent = Omit<WorkspaceEvent, 'id' | 'at' | 'type' | 'changed'> & {
  readonly action: EventAction;
  readonly changed?: readonly string[];
};

/**
 * The write of an event for the transaction of a change that has no audit event: of a response, a conversation, a
 * message, or what a visitor brings about. An audit event is an event itself.
 */
export function eventWrite(
  { workspaceId }: WorkspaceScope,
  { kind, recordId, action, changed = [], actor, requestId }: NewEvent,
): TransactItem {
  const changeId = newChangeId();
  const id = `${idPrefix}${changeId}`;
  const at = timeOf(changeId);
  const event = { id, at: new Date(at).toISOString(), actor, recordKind: kind, recordId, changed, requestId };
  const ttl = Math.ceil((at + eventsKeptMilliseconds) / 1_000);
  return { Put: { Item: { ...eventKeys.event(workspaceId, id), ...storedEvent(event), event: action, ttl } } };
}
