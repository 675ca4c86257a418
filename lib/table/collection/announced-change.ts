import { setTimeout as pause } from 'node:timers/promises';
import { ConditionFailed, Contended, Unavailable } from '../errors.ts';
import type { Item } from '../schema.ts';
import type { Table, TransactItem, Writes } from '../table.ts';
import { isLongLogToNote, longLogChanges, noteLongLog } from './compaction.ts';
import {
  announce,
  announcementWrite,
  type CollectionHead,
  type CollectionScope,
  type Effect,
  headKey,
  isContentStable,
  newChangeId,
  settle,
  withdraw,
} from './head.ts';
import { type LoggedRecord, logItem } from './log.ts';
import { isBeingRemoved } from './removal.ts';

export interface AffectedCollection {
  readonly scope: CollectionScope;
  readonly effect: Effect;
}

/**
 * The time that a failed request waits for its withdrawal, and the time limit of the withdrawal. It continues after the
 * wait.
 */
export const withdrawal = { waitedForMilliseconds: 250, milliseconds: 2_000 } as const;

/**
 * A change of records that are rows of collections, in three steps. `announce` runs before the records are read, or in
 * parallel. The transaction contains the log items. `settle` runs before the answer is sent. A writer that dies in
 * between leaves its announcement: readers stay correct and read the log until it is removed.
 *
 * `open` announces the change in the transaction if no other change is under way, which saves a round trip. If that
 * transaction fails because of others, the change is announced first: announcements never conflict.
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
  #isAboutRows = false;

  /** @param stamped a collection in whose rows only a time stamp changes: that is logged, not announced */
  constructor(table: Table, affectedCollections: readonly AffectedCollection[], stamped?: CollectionScope) {
    this.#table = table;
    this.#affectedCollections = affectedCollections;
    this.#stamped = stamped;
  }

  /** Whether the change is announced in any collection. */
  get #isNeeded(): boolean {
    return this.#affectedCollections.length > 0;
  }

  /** Whether one of the collections is being removed. */
  get isBeingRemoved(): boolean {
    return this.#heads.some(isBeingRemoved);
  }

  /**
   * Reads the heads. If other changes are under way, it announces the change immediately.
   * @param isAboutRows whether the change depends on the rows of the collections. It then conflicts with a change that
   * was announced in between
   * @throws Unavailable
   */
  async open(isAboutRows = false): Promise<void> {
    this.#isAboutRows = isAboutRows;
    const heads = await Promise.all(this.#affectedCollections.map(({ scope }) => readHead(this.#table, scope)));
    if (!heads.every(hasNoOtherChange)) return this.announce();
    this.#heads = heads.map((head) => head ?? { born: this.#id });
    this.#isInTransaction = true;
  }

  /** Announces the change by an update of each head. @throws Unavailable */
  announce(): Promise<void> {
    this.#isInTransaction = false;
    this.#announcing = this.#forEach(announce).then((heads) => {
      this.#heads = heads;
    });
    return this.#announcing;
  }

  /**
   * Tries the transaction once. The announcement stays if the transaction failed but may have been carried out.
   * @returns `announced` if other changes were under way: this one is announced now and must be prepared again. A
   * `Contended` is a conflict of transactions: the same writes can be tried again
   * @throws ConditionFailed, Unavailable
   */
  async commit(writes: Writes): Promise<'committed' | 'announced' | Contended> {
    const isFirst = this.#isInTransaction && this.#isNeeded;
    const heads = isFirst
      ? this.#affectedCollections.map(({ scope, effect }, index) => {
          const seen = this.#isAboutRows ? this.#heads[index] : undefined;
          return announcementWrite(scope, this.#id, effect, seen);
        })
      : [];
    try {
      await this.#table.transact({ ...writes, heads });
      return 'committed';
    } catch (error) {
      this.#mayBeCommitted ||= error instanceof Unavailable && !error.isUndone;
      if (!isFirst && error instanceof Contended) return error;
      const isConflict = error instanceof Contended || (error instanceof ConditionFailed && error.write === 'heads');
      if (!isFirst || !isConflict || this.#mayBeCommitted) throw error;
      await this.announce();
      return 'announced';
    }
  }

  /** The log items for the transaction: rows, columns or time stamps that change. */
  logItems(logged: (scope: CollectionScope, meetsImport: boolean) => readonly LoggedRecord[]): TransactItem[] {
    const stamped = this.#stamped;
    const stamps = stamped
      ? logged(stamped, false).map((record) => logItem(stamped, this.#id, { ...record, stamp: true }))
      : [];
    const items = this.#affectedCollections.flatMap(({ scope, effect }, index) => {
      const meetsImport = this.#heads[index]?.import !== undefined;
      if (effect === 'content') return [];
      const marked = effect === 'cells' ? { cells: true as const } : {};
      return logged(scope, meetsImport).map((record) => logItem(scope, this.#id, { ...record, ...marked }));
    });
    return [...items, ...stamps];
  }

  /** Call this after the commit. A failure must not fail the request, because the announcement stays. */
  async settle(): Promise<void> {
    const long = this.#affectedCollections.filter((_, index) => isLong(this.#heads[index])).map(({ scope }) => scope);
    // No head counts the time stamps in a log. So one of about a hundred writers notes the log for compaction.
    if (this.#stamped && isSampled(this.#id)) long.push(this.#stamped);
    await Promise.allSettled([this.#forEach(settle), ...long.map((scope) => noteLongLog(this.#table, scope))]);
  }

  /**
   * Removes the announcements of a failed change. Each remaining one makes the head, and all later announcements, more
   * expensive.
   */
  async withdraw(): Promise<void> {
    if (this.#mayBeCommitted || !this.#announcing || !this.#isNeeded) return;
    // A failed announcement may have been stored.
    await this.#announcing.catch(() => undefined);
    const table = this.#table.withTimeout(withdrawal.milliseconds);
    const withdrawing = this.#forEach(withdraw, table).catch(() => undefined);
    await Promise.race([withdrawing, pause(withdrawal.waitedForMilliseconds)]);
  }

  #forEach<Result>(
    step: (table: Table, scope: CollectionScope, id: string, effect: Effect) => Promise<Result>,
    table = this.#table,
  ): Promise<Result[]> {
    return Promise.all(this.#affectedCollections.map(({ scope, effect }) => step(table, scope, this.#id, effect)));
  }
}

const readHead = async (table: Table, scope: CollectionScope): Promise<CollectionHead | undefined> =>
  (await table.get(headKey(scope))) as (Item & CollectionHead) | undefined;

/** Whether no other change, no import and no removal of the collection is under way. */
const hasNoOtherChange = (head: CollectionHead | undefined): boolean =>
  head === undefined || (isContentStable(head) && head.removing === undefined);

/** Ids of changes end in random hexadecimal digits. */
const isSampled = (changeId: string): boolean => Number.parseInt(changeId.slice(-3), 16) < 0x1000 / longLogChanges;

const isLong = (head: CollectionHead | undefined): boolean => head !== undefined && isLongLogToNote(head);
