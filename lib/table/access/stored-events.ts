import { gunzipSync } from 'node:zlib';
import type { AuditAction, AuditEvent } from '#lib/domain/access/audit-event.ts';
import { auditKeptMilliseconds, idPrefix, positionAt } from '#lib/domain/events/position.ts';
import { eventKeys } from '../events/keys.ts';
import { timeOf } from '../log/change-log.ts';
import { type Item, Repository } from '../table.ts';

export interface StoredEvent extends AuditEvent {
  /** Those of the changed paths that lead into fields of an entry that were hidden then. */
  readonly hidden: readonly string[];
}

export function eventOf({ zipped, record, hidden = [] }: Item): StoredEvent {
  const text = zipped instanceof Uint8Array ? gunzipSync(zipped).toString() : String(record);
  return { ...(JSON.parse(text) as AuditEvent), hidden: hidden as string[] };
}

/** The conditions of a list of events; all must hold. Times are in milliseconds since 1970. */
export interface AuditFilter {
  readonly recordKind?: string | undefined;
  readonly recordId?: string | undefined;
  readonly actorId?: string | undefined;
  readonly action?: AuditAction | undefined;
  /** Inclusive. */
  readonly since?: number | undefined;
  /** Exclusive. */
  readonly until?: number | undefined;
}

/** The number of events per read, if the list leaves some out. */
const manyPerPage = 1_000;

/** The audit events of one workspace, kept for 400 days. Access pattern A1. */
export class AuditEvents extends Repository {
  async find(id: string, now = Date.now()): Promise<StoredEvent | undefined> {
    if (!isEventId(id) || timeOfEvent(id) < now - auditKeptMilliseconds) return undefined;
    const item = await this.table.get(eventKeys.auditEvent(this.workspaceId, id));
    return item && eventOf(item);
  }

  /**
   * Events, newest first. A filter bounds only their time; the caller leaves out those that do not match.
   * @param options.after the id of an event: those before it
   * @param options.count the number of events that are needed, if all of them match
   * @param options.isSearch whether there are conditions beside the filter
   */
  async *newestFirst(
    { since = 0, until, ...conditions }: AuditFilter,
    { after, count, isSearch, now = Date.now() }: ReadOptions,
  ): AsyncGenerator<StoredEvent> {
    // Expired items may stay for days.
    const from = positionAt(Math.max(since, now - auditKeptMilliseconds));
    const to = after ?? (until === undefined ? `${idPrefix}~` : positionAt(until));
    if (from > to) return;
    const isFiltered = isSearch || Object.values(conditions).some((value) => value !== undefined);
    const perPage = isFiltered ? manyPerPage : count + 1;
    const pk = eventKeys.auditEvents(this.workspaceId);
    for await (const item of this.table.query({ pk, from, to, descending: true, perPage })) {
      // The bounds of a range are inclusive.
      if (item.sk !== after) yield eventOf(item);
    }
  }

  /** Whether an event matches a filter, apart from its time. */
  matches = ({ recordKind, recordId, actorId, action }: AuditFilter, event: AuditEvent): boolean =>
    (action === undefined || event.action === action) &&
    (recordKind === undefined || event.recordKind === recordKind) &&
    (recordId === undefined || event.recordId === recordId) &&
    (actorId === undefined || event.actor.id === actorId);
}

interface ReadOptions {
  readonly after: string | undefined;
  readonly count: number;
  readonly isSearch: boolean;
  readonly now?: number;
}

export const isEventId = (id: string): boolean => /^evt_[0-9a-z]{9}[0-9a-f]{12}$/.test(id);
/** In milliseconds since 1970. @param id of an event, or a position in the feed */
export const timeOfEvent = (id: string): number => timeOf(id.slice(idPrefix.length));
