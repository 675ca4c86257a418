import { gunzipSync } from 'node:zlib';
import type { AuditAction, AuditEvent } from '#lib/domain/access/audit-event.ts';
import { auditKeptMilliseconds, idPrefix, positionAt } from '#lib/domain/events/position.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { eventKeys } from '../events/keys.ts';
import { timeOf } from '../log/change-log.ts';
import { Repository } from '../repository.ts';
import type { Item, Key } from '../schema.ts';

export interface StoredEvent extends AuditEvent {
  /** Those of the changed paths that lead into fields of an entry that were hidden then. */
  readonly hidden: readonly string[];
}

/** The event of an item. */
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
   * Events, newest first: those of the narrowest partition that has all events of a filter.
   * @param options.after the id of an event: those before it
   * @param options.count the number of events that are needed, if all of them match
   * @param options.isSearch whether there are conditions beside the filter
   */
  async *newestFirst(
    filter: AuditFilter,
    { after, count, isSearch, now = Date.now() }: ReadOptions,
  ): AsyncGenerator<StoredEvent> {
    const pk = this.#partitionOf(filter);
    // Expired items may stay for days.
    const from = positionAt(Math.max(filter.since ?? 0, now - auditKeptMilliseconds));
    const to = after ?? (filter.until === undefined ? `${idPrefix}~` : positionAt(filter.until));
    if (pk === undefined || from > to) return;
    const size = isSearch || !this.#hasOnly(pk, filter) ? manyPerPage : count;
    const items = this.table.query({ pk, from, to, descending: true, perPage: size + 1 });
    for await (const group of inGroups(items, size)) {
      // The bounds of a range are inclusive.
      yield* (await this.#eventsOf(group)).filter(({ id }) => id !== after);
    }
  }

  /** Whether an event matches a filter, apart from its time. */
  matches = ({ recordKind, recordId, actorId, action }: AuditFilter, event: AuditEvent): boolean =>
    (action === undefined || event.action === action) &&
    (recordKind === undefined || event.recordKind === recordKind) &&
    (recordId === undefined || event.recordId === recordId) &&
    (actorId === undefined || event.actor.id === actorId);

  /** The narrowest partition with all matching events; undefined if no event can match. */
  #partitionOf({ recordKind, recordId, actorId }: AuditFilter): string | undefined {
    if (recordKind !== undefined && !/^[a-z-]{1,64}$/.test(recordKind)) return undefined;
    if (recordId !== undefined && !recordId.split('/').every(isRecordId)) return undefined;
    if (actorId !== undefined && !isRecordId(actorId)) return undefined;
    if (recordKind !== undefined && recordId !== undefined)
      return eventKeys.auditEventsOfRecord(this.workspaceId, recordKind, recordId);
    if (actorId !== undefined) return eventKeys.auditEventsByActor(this.workspaceId, actorId);
    return eventKeys.auditEvents(this.workspaceId);
  }

  /** Whether all events of a partition match the filter, apart from their times. */
  #hasOnly(pk: string, { recordKind, recordId, actorId, action }: AuditFilter): boolean {
    const isOfActor = actorId !== undefined && pk === eventKeys.auditEventsByActor(this.workspaceId, actorId);
    const left = pk === eventKeys.auditEvents(this.workspaceId) || isOfActor ? [recordKind, recordId] : [];
    return [...left, isOfActor ? undefined : actorId, action].every((value) => value === undefined);
  }

  /** Reads the events of pointers, without expired ones. */
  async #eventsOf(items: readonly Item[]): Promise<StoredEvent[]> {
    const found = await Promise.all(
      items.map((item) => (isPointer(item) ? this.table.get(this.#keyOf(item)) : Promise.resolve(item))),
    );
    return found.filter((item) => item !== undefined).map(eventOf);
  }

  #keyOf = ({ sk }: Item): Key => eventKeys.auditEvent(this.workspaceId, sk);
}

interface ReadOptions {
  readonly after: string | undefined;
  readonly count: number;
  readonly isSearch: boolean;
  readonly now?: number;
}

/** Whether an item only has the id of an event. */
const isPointer = ({ record, zipped }: Item): boolean => record === undefined && zipped === undefined;

export const isEventId = (id: string): boolean => /^evt_[0-9a-z]{9}[0-9a-f]{12}$/.test(id);
/** In milliseconds since 1970. @param id of an event, or a position in the feed */
export const timeOfEvent = (id: string): number => timeOf(id.slice(idPrefix.length));
