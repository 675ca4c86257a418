import type { EventAction } from '#lib/domain/events/happened.ts';
import { idPrefix, positionAt } from '#lib/domain/events/position.ts';
import { eventOf, type StoredEvent, timeOfEvent } from '../access/stored-events.ts';
import { setting } from '../dynamodb/conditions.ts';
import type { Contended } from '../errors.ts';
import { windowMilliseconds } from '../log/change-log.ts';
import { type Item, Repository, type TransactItem } from '../table.ts';
import { repeatWrite, tryChange } from '../writer/repeat-write.ts';
import { eventKeys } from './keys.ts';

/** An event of the feed. `recordKind` is the kind in addresses. */
export interface FedEvent extends Omit<StoredEvent, 'action'> {
  /** Its place in the feed, by which the feed is read. Usually its id. */
  readonly position: string;
  readonly action: EventAction;
  /** The record was a draft before and after the change. */
  readonly isDraft: boolean;
}

interface FedEvents {
  /** In the order of the feed. */
  readonly events: readonly FedEvent[];
  /** Where to go on. */
  readonly next: string;
  readonly isEnd: boolean;
}

type FoundEvent = FedEvent & {
  readonly item: Item;
  /** Whether it gets its place with this read. */
  readonly isNew: boolean;
};

interface Found {
  /** When the read began, in milliseconds since 1970. What became visible later is not in it. */
  readonly readAt: number;
  readonly from: string;
  readonly events: readonly FoundEvent[];
  /** Where to go on if none of the events is behind the position. */
  readonly next: string;
  readonly isEnd: boolean;
}

/** The number of events that one read takes from each partition. */
const itemsMax = 1_000;
/** The number of events that one read gives places to: a transaction has 100 items. */
const placedMax = 100;
/** The id of an event and its place, or the ids of an event and of those that it came too late for, differ by less. */
const spreadMilliseconds = 2 * windowMilliseconds;

/** The events of a workspace in the order in which readers see them. README.md says why it never changes. */
export class Feed extends Repository {
  /**
   * Reads events after a position, and gives a place to those that have none.
   * @param after the position or the id of an event, or `positionAt` a time
   * @throws Unavailable
   */
  async read(after: string): Promise<FedEvents> {
    return repeatWrite<Found, FedEvents>(this.table, {
      prepare: () => this.#find(after),
      write: async (found) => {
        const failure = await this.#place(found);
        if (failure) return failure;
        const events = found.events.filter(({ position }) => position > found.from);
        return { events, next: events.at(-1)?.position ?? found.next, isEnd: found.isEnd };
      },
    });
  }

  async find(id: string): Promise<Omit<FedEvent, 'position'> | undefined> {
    const places = [eventKeys.auditEvent(this.workspaceId, id), eventKeys.event(this.workspaceId, id)];
    const [item] = (await Promise.all(places.map((key) => this.table.get(key)))).filter((found) => found !== undefined);
    return item && eventIn(item);
  }

  async #find(after: string): Promise<Found> {
    const readAt = Date.now();
    const partitions = [eventKeys.auditEvents(this.workspaceId), eventKeys.events(this.workspaceId)];
    const parts = await Promise.all(partitions.map((pk) => this.#part(pk, after)));
    // Behind the end of one part, the other would be ahead.
    const end = parts.flatMap(({ end }) => end ?? []).sort()[0];
    const events = placed(
      parts.flatMap(({ items }) => items),
      readAt,
    );
    const from = events.find(({ id }) => id === after)?.position ?? after;
    // An event that came late may have its place behind others that are not read yet.
    const seen = end === undefined ? events : events.filter(({ position }) => position <= end);
    // Those after the last one that gets a place are for the next read.
    const [last, more] = seen.filter(({ isNew }) => isNew).slice(placedMax - 1, placedMax + 1);
    return {
      readAt,
      from,
      events: last && more ? seen.filter(({ position }) => position <= last.position) : seen,
      // The id of the end may be that of an event whose place is behind it.
      next: end === undefined || more || from > end ? from : `${end}~000000`,
      isEnd: end === undefined && !more,
    };
  }

  /** @returns items, and those that decide on their places; and the last of them, if there are more */
  async #part(pk: string, after: string): Promise<{ readonly items: readonly Item[]; readonly end?: string }> {
    const range = { pk, from: positionAt(timeOfEvent(after) - spreadMilliseconds), to: `${idPrefix}~` };
    const items: Item[] = [];
    let count = 0;
    let end: string | undefined;
    for await (const item of this.table.uncached().query(range)) {
      if (end !== undefined && timeOfEvent(item.sk) > timeOfEvent(end) + spreadMilliseconds) return { items, end };
      items.push(item);
      if (item.sk > after && ++count === itemsMax) end = item.sk;
    }
    return { items };
  }

  /**
   * Another reader may give a place to one of them first.
   * @returns the conflict; undefined if all have their places
   */
  async #place({ events, readAt }: Found): Promise<Contended | 'changed' | undefined> {
    const places = events
      .filter(({ isNew }) => isNew)
      .map(
        ({ item: { pk, sk }, position }): TransactItem => ({
          Update: { Key: { pk, sk }, ...setting({ place: position, placedAt: readAt }, hasNoPlace) },
        }),
      );
    return places.length > 0 ? tryChange(this.table, { places }) : undefined;
  }
}

const hasNoPlace = { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#place)' };

/** What an audit event is in the feed, unless its item says so. A sign-in or an invitation is no event. */
const actions: Readonly<Record<string, EventAction>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  restore: 'updated',
  rotate: 'updated',
  import: 'imported',
};

/** The event of an item; undefined if it is none. */
function eventIn(item: Item): Omit<FedEvent, 'position'> | undefined {
  const { action: audited, ...event } = eventOf(item);
  const action = (item['event'] as EventAction | undefined) ?? actions[audited];
  const kinds = item['changedKinds'] as string[] | undefined;
  const changed = audited === 'rotate' ? ['secret'] : (kinds ?? event.changed);
  return action && { ...event, changed, action, isDraft: item['draft'] === true };
}

/** @param now milliseconds since 1970 @returns events in the order of the feed, with the places that they have or get */
function placed(items: readonly Item[], now: number): FoundEvent[] {
  const events = items.flatMap((item) => {
    const event = eventIn(item);
    if (!event) return [];
    const { place = event.id, placedAt } = item as { readonly place?: string; readonly placedAt?: number };
    return [{ ...event, item, position: place, placedAt }];
  });
  const known = events.filter(({ placedAt }) => placedAt !== undefined).sort(inFeed);
  const taken = new Set(known.map(({ position }) => position));
  const inOrder = events.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const found = inOrder.map(({ placedAt, ...event }): FoundEvent => {
    if (placedAt !== undefined) return { ...event, isNew: false };
    // The reader that placed these may not have seen this event.
    const at = timeOfEvent(event.id);
    const last = known.findLast(
      ({ position, placedAt = 0 }) => position <= event.id || placedAt - windowMilliseconds <= at,
    );
    if (!last || last.position <= event.id) return { ...event, isNew: at >= now - windowMilliseconds };
    let position = following(last.position);
    while (taken.has(position)) position = following(position);
    taken.add(position);
    return { ...event, position, isNew: true };
  });
  return found.sort(inFeed);
}

const inFeed = (a: Pick<FedEvent, 'position'>, b: Pick<FedEvent, 'position'>): number =>
  a.position < b.position ? -1 : 1;

/** The next position behind that of an event. `~` sorts behind every character of an id. */
function following(position: string): string {
  const [id = '', number = '0'] = position.split('~');
  return `${id}~${String(Number(number) + 1).padStart(6, '0')}`;
}
