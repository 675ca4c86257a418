import { gzipSync } from 'node:zlib';
import type { AuditEvent } from '#lib/domain/access/audit-event.ts';
import type { Happened } from '#lib/domain/events/happened.ts';
import { auditKeptMilliseconds, idPrefix } from '#lib/domain/events/position.ts';
import type { EventAuthor } from '#lib/domain/events/workspace-event.ts';
import { firstCodePoints } from '#lib/domain/text/code-points.ts';
import { eventKeys } from '../events/keys.ts';
import { type StoredStates, statesItem } from '../history/kept-states.ts';
import { newChangeId, timeOf } from '../log/change-log.ts';
import type { WorkspaceScope, Writes } from '../table.ts';
import type { Revisions } from '../writer/change.ts';

/** An event with many paths is compressed, so that it stays within a few write units. */
const plainBytesMax = 800;

/** An audit event before it gets its id and time. */
export type Audited = Omit<AuditEvent, 'id' | 'at' | 'changed'> & {
  readonly changed: readonly string[];
  /** What the feed of events says of it, too (lib/table/events). */
  readonly happened?: Happened;
  readonly states?: StoredStates | undefined;
  /** Of the record's item. The event has the id of the revision, so that events of a record sort as its changes did. */
  readonly revisions?: Revisions;
};

/**
 * The writes of an audit event, and of the version of a record with history, for the transaction of the change
 * (lib/spec/additions.md section 2). They have no condition. They usually take 2 write units, with a version up to 6.
 */
export function auditWrite({ workspaceId }: WorkspaceScope, audited: Audited): Writes {
  const { happened, states, revisions, ...told } = audited;
  const changeId = revisions?.after ?? newChangeId(revisions?.before);
  const id = `${idPrefix}${changeId}`;
  const at = timeOf(changeId);
  const event: AuditEvent = { id, at: new Date(at).toISOString(), ...told, changed: [...told.changed] };
  const ttl = Math.ceil((at + auditKeptMilliseconds) / 1_000);
  return {
    audit: { Put: { Item: { ...eventKeys.auditEvent(workspaceId, id), ...storedEvent(event), ...happened, ttl } } },
    version: states && { Put: { Item: statesItem({ workspaceId }, event, states) } },
  };
}

/** Lists show many events, and members choose their own names. */
const nameCharactersMax = 200;

export function storedEvent(event: EventAuthor): object {
  const actor = { ...event.actor, name: firstCodePoints(event.actor.name, nameCharactersMax) };
  const text = JSON.stringify({ ...event, actor });
  return Buffer.byteLength(text) > plainBytesMax ? { zipped: gzipSync(text) } : { record: text };
}
