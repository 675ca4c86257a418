import { setTimeout as pause } from 'node:timers/promises';
import { ConditionFailed, Contended, Unavailable } from '../errors.ts';
import type { Item } from '../schema.ts';
import type { Table, TransactItem, Writes } from '../table.ts';
import { isLongLogToNote, longLogChanges, noteLongLog } from './compaction.ts';
import {
  announce,
  announcementWrite,
  type ChangeOf,
  type CollectionHead,
  type CollectionScope,
  headKey,
  isContentQuiet,
  newChangeId,
  settle,
  withdraw,
} from './head.ts';
import { type LoggedRecord, logItem } from './log.ts';
import { isBeingRemoved } from './removal.ts';

/** A collection that a change affects. */
export interface AffectedCollection {
  readonly scope: CollectionScope;
  readonly of: ChangeOf;
}

/** A request whose time is over waits so long for its announcement to be taken back, which may take a little longer. */
const withdrawal = { waitedForMilliseconds: 250, milliseconds: 2_000 } as const;

/**
 * A change of records that collections are made of, in three steps: `announce` before the records are read or beside
 * it, the transaction with the log items, and `settle` before the answer is sent. A writer that dies in between leaves
 * an announcement: readers stay correct and read the log until it is removed.
 *
 * A writer that finds nobody else at work (`open`) announces the change in its transaction, which spares a round trip.
 * When that meets others, it announces itself first after all: announcements do not meet.
 */
export class AnnouncedChange {
  readonly #table: Table;
  readonly #affectedCollections: readonly AffectedCollection[];
  readonly #stamped: CollectionScope | undefined;
  readonly #id = newChangeId();
  #heads: readonly CollectionHead[] = [];
  #announcing: Promise<void> | undefined;
  #mayBeCommitted = false;
  #isInTransaction = false;

  /** @param stamped the collection in whose rows nothing changes but a time stamp: that is logged, not announced */
  constructor(table: Table, affectedCollections: readonly AffectedCollection[], stamped?: CollectionScope) {
    this.#table = table;
    this.#affectedCollections = affectedCollections;
    this.#stamped = stamped;
  }

  /** Whether the change is announced anywhere. */
  get isNeeded(): boolean {
    return this.#affectedCollections.length > 0;
  }

  /** Whether one of the collections is being removed. */
  get isBeingRemoved(): boolean {
    return this.#heads.some(isBeingRemoved);
  }

  /** Reads the heads, and announces the change if others are at work. @throws Unavailable */
  async open(): Promise<void> {
    const heads = await Promise.all(this.#affectedCollections.map(({ scope }) => readHead(this.#table, scope)));
    if (!heads.every(isAlone)) return this.announce();
    this.#heads = heads.map((head) => head ?? { born: this.#id });
    this.#isInTransaction = true;
  }

  /** @throws Unavailable */
  announce(): Promise<void> {
    this.#isInTransaction = false;
    this.#announcing = this.#forEach(announce).then((heads) => {
      this.#heads = heads;
    });
    return this.#announcing;
  }

  /**
   * Tries the transaction once. If it may have been carried out in spite of an error, the announcement stays.
   * @returns `announced` when it met others and the change is announced now: it is to be prepared anew. A conflict with
   * other transactions is returned: the same writes are to be tried again
   */
  async commit(writes: Writes): Promise<'committed' | 'announced' | Contended> {
    const isFirst = this.#isInTransaction && this.isNeeded;
    const heads = isFirst
      ? this.#affectedCollections.map(({ scope, of }) => announcementWrite(this.#table, scope, this.#id, of))
      : [];
    try {
      await this.#table.transact({ ...writes, heads }, 1);
      return 'committed';
    } catch (error) {
      this.#mayBeCommitted ||= error instanceof Unavailable && !error.isUndone;
      if (!isFirst && error instanceof Contended) return error;
      const hasMet = error instanceof Contended || (error instanceof ConditionFailed && error.write === 'heads');
      if (!isFirst || !hasMet || this.#mayBeCommitted) throw error;
      await this.announce();
      return 'announced';
    }
  }

  /** Parts of the transaction: what is logged in the collections whose rows, columns or time stamps change. */
  logItems(logged: (scope: CollectionScope, meetsImport: boolean) => readonly LoggedRecord[]): TransactItem[] {
    const stamped = this.#stamped;
    const stamps = stamped
      ? logged(stamped, false).map((one) => logItem(this.#table, stamped, this.#id, { ...one, stamp: true }))
      : [];
    const items = this.#affectedCollections.flatMap(({ scope, of }, index) => {
      const meetsImport = this.#heads[index]?.import !== undefined;
      if (of === 'content') return [];
      const marked = of === 'cells' ? { cells: true as const } : {};
      return logged(scope, meetsImport).map((record) =>
        logItem(this.#table, scope, this.#id, { ...record, ...marked }),
      );
    });
    return [...items, ...stamps];
  }

  /** Call this after the commit. A failure must not fail the request, because the announcement stays. */
  async settle(): Promise<void> {
    const long = this.#affectedCollections.filter((_, index) => isLong(this.#heads[index])).map(({ scope }) => scope);
    // No head counts the stamps in a log: one of about a hundred writers has the log looked at.
    if (this.#stamped && isOneOfMany(this.#id)) long.push(this.#stamped);
    await Promise.allSettled([this.#forEach(settle), ...long.map((scope) => noteLongLog(this.#table, scope))]);
  }

  /** The writer gives up. What the head gains from writes that fail would make every later one cost more. */
  async withdraw(): Promise<void> {
    if (this.#mayBeCommitted || !this.#announcing || !this.isNeeded) return;
    // A failed announcement may have been stored.
    await this.#announcing.catch(() => undefined);
    const table = this.#table.lasting(withdrawal.milliseconds);
    const withdrawing = this.#forEach(withdraw, table).catch(() => undefined);
    await Promise.race([withdrawing, pause(withdrawal.waitedForMilliseconds)]);
  }

  #forEach<Result>(
    step: (table: Table, scope: CollectionScope, id: string, of: ChangeOf) => Promise<Result>,
    table = this.#table,
  ): Promise<Result[]> {
    return Promise.all(this.#affectedCollections.map(({ scope, of }) => step(table, scope, this.#id, of)));
  }
}

const readHead = async (table: Table, scope: CollectionScope): Promise<CollectionHead | undefined> =>
  (await table.get(headKey(scope))) as (Item & CollectionHead) | undefined;

/** Whether no other change, no import and no removal of the collection is under way. */
const isAlone = (head: CollectionHead | undefined): boolean =>
  head === undefined || (isContentQuiet(head) && head.removing === undefined);

/** Ids of changes end in random digits. */
const isOneOfMany = (changeId: string): boolean => Number.parseInt(changeId.slice(-3), 16) < 0x1000 / longLogChanges;

const isLong = (head: CollectionHead | undefined): boolean => head !== undefined && isLongLogToNote(head);
