import { inflateRawSync } from 'node:zlib';
import { idPrefix, positionAt } from '#lib/domain/events/position.ts';
import { historyKey } from '#lib/domain/files/history-file.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import { AuditEvents, eventOf, type StoredEvent, timeOfEvent } from '../access/stored-events.ts';
import { Unavailable } from '../errors.ts';
import { eventKeys } from '../events/keys.ts';
import { shortRevision } from '../log/change-log.ts';
import { type Item, Repository, type Table } from '../table.ts';
import { historyMilliseconds, type StateMarks, type StoredStates } from './kept-states.ts';
import { timeIn } from './large-states.ts';

/** A record as the list of versions names it: the kind in addresses; the id of an entry is `modelId/id`. */
export interface VersionedRecord {
  readonly recordKind: string;
  readonly recordId: string;
}

/** A version of a record: what a change has left, or what was before a change and is no other version. */
export interface Version {
  readonly id: string;
  readonly eventId: string;
  /** Whether it is the state before the change. */
  readonly isBefore: boolean;
  /** Of a deletion there is no record. */
  readonly isDeletion: boolean;
  /** The record was a draft; of a deletion, before it. */
  readonly isDraft: boolean;
  /** The short revision of the record's item. */
  readonly revision: string;
}

/** What a deletion has removed. */
export interface Deletion extends VersionedRecord {
  readonly eventId: string;
}

/** The states of a change, as JSON text. */
export interface KeptStates {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly hidden: readonly string[];
}

/** An event is read by its page, and counts less than a deletion, whose record is read. */
const eventsPerPage = 1_000;
const eventsPerStep = 40;

/** A version without an event of its own. */
const beforePrefix = 'imp_';

export const isVersionId = (id: string): boolean => /^(?:evt|imp)_[0-9a-z]{9}[0-9a-f]{12}$/.test(id);

const eventIdOf = (id: string): string => `${idPrefix}${id.slice(beforePrefix.length)}`;

type Marked = Item & StateMarks;

/** The versions of the records of one workspace, and its deletions (README.md). Access pattern A3. */
export class Versions extends Repository {
  /** @param after the id of a version: those before it @param count the number that a page needs */
  async *newestFirst(record: VersionedRecord, after: string | undefined, count: number): AsyncGenerator<Version> {
    const last = after && eventIdOf(after);
    let newer: Marked | undefined;
    const pk = eventKeys.versions(this.workspaceId, record.recordKind, record.recordId);
    for await (const item of this.#query(pk, last, count)) {
      const older = item as Marked;
      if (newer && !isFollowedBy(newer, older)) yield versionBefore(newer);
      newer = after?.startsWith(beforePrefix) && older.sk === last ? undefined : older;
      if (older.sk !== last) yield versionOf(older);
    }
    if (newer?.before !== undefined) yield versionBefore(newer);
  }

  /** A version, whether or not its states could be kept. */
  async find(record: VersionedRecord, id: string): Promise<Version | undefined> {
    const eventId = eventIdOf(id);
    if (!isVersionId(id) || timeOfEvent(eventId) < this.#since()) return undefined;
    const key = eventKeys.version(this.workspaceId, record.recordKind, record.recordId, eventId);
    const item = (await this.table.get(key)) as Marked | undefined;
    if (!item || !id.startsWith(beforePrefix)) return item && versionOf(item);
    return item.before === undefined ? undefined : versionBefore(item);
  }

  /** The states of a change; undefined if they could not be kept. @throws Unavailable of the bucket, too */
  async states({ recordKind, recordId }: VersionedRecord, eventId: string): Promise<KeptStates | undefined> {
    const item = await this.table.get(eventKeys.version(this.workspaceId, recordKind, recordId, eventId));
    const { states, file } = (item ?? {}) as StoredStates['content'];
    const bytes = file === undefined ? states : await readFile(this.table, this.workspaceId, file);
    return bytes && unpacked(bytes);
  }

  /**
   * Deletions of records, newest first, and between them, for each group of other events, one without a record: a reader
   * counts what it examines.
   * @param after the id of an event: those before it
   */
  async *deletions(after: string | undefined): AsyncGenerator<Deletion> {
    const items = this.#query(eventKeys.auditEvents(this.workspaceId), after, eventsPerPage);
    for await (const group of inGroups(items, eventsPerStep)) {
      const events = group.map(eventOf).filter(({ id }) => id !== after);
      const deleted = events.filter(({ action }) => action === 'delete');
      for (const { id: eventId, recordKind, recordId } of deleted) yield { eventId, recordKind, recordId };
      const last = events.at(-1);
      if (last && last.action !== 'delete') yield { eventId: last.id, recordKind: '', recordId: '' };
    }
  }

  event = (eventId: string): Promise<StoredEvent | undefined> => new AuditEvents(this.table, this).find(eventId);

  #since = (): number => Date.now() - historyMilliseconds();

  /** The engine may remove expired items days later. The bounds are inclusive. */
  async *#query(pk: string, to = `${idPrefix}~`, count = 1): AsyncGenerator<Item> {
    const from = positionAt(this.#since());
    if (historyMilliseconds() > 0 && from <= to)
      yield* this.table.query({ pk, from, to, descending: true, perPage: count + 2 });
  }
}

/** Whether an older change has left what was before a newer one. An import may have changed the record in between. */
const isFollowedBy = ({ before }: Marked, { after }: Marked): boolean =>
  before === undefined || (before !== '' && before === after);

const versionOf = ({ sk, after, wasDraft, isDraft }: Marked): Version => ({
  id: sk,
  eventId: sk,
  isBefore: false,
  isDeletion: after === undefined,
  isDraft: (after === undefined ? wasDraft : isDraft) === true,
  revision: after ?? '',
});

const versionBefore = ({ sk, before, wasDraft }: Marked): Version => ({
  id: `${beforePrefix}${sk.slice(idPrefix.length)}`,
  eventId: sk,
  isBefore: true,
  isDeletion: false,
  isDraft: wasDraft === true,
  revision: before ?? '',
});

/** Whether a version is the stored record. */
export const isStored = ({ revision, isBefore, isDeletion }: Version, stored: string | undefined): boolean =>
  stored !== undefined && !isBefore && !isDeletion && revision === shortRevision(stored);

/** @returns undefined if the file is gone @throws Unavailable */
async function readFile(table: Table, workspaceId: string, file: string): Promise<Uint8Array | undefined> {
  const { readKeptFile } = await import('#lib/files/history-files.ts');
  // The loaded file has its own copies of error classes.
  return readKeptFile(historyKey(workspaceId, file), timeIn(table, 1)).catch((cause) => {
    throw new Unavailable('The bucket did not answer.', { cause });
  });
}

function unpacked(states: Uint8Array): KeptStates {
  const [after, before, hidden = '[]'] = inflateRawSync(states).toString().split('\n');
  return { before: before || undefined, after: after || undefined, hidden: JSON.parse(hidden) };
}
