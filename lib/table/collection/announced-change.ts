import type { Table, TransactItem } from '../table.ts';
import { isLongLogToNote, noteLongLog } from './compaction.ts';
import {
  announce,
  type ChangeOf,
  type CollectionHead,
  type CollectionScope,
  newChangeId,
  settle,
  withdraw,
} from './head.ts';
import { type LoggedRecord, logItem } from './log.ts';
import { isBeingRemoved } from './removal.ts';

/** A collection that a change concerns. */
export interface Concerned {
  readonly scope: CollectionScope;
  readonly of: ChangeOf;
}

/**
 * A change of records that collections are made of, in three steps: `announce` before the records are read or beside
 * it, the transaction with the log items, and `settle` before the answer is sent. A writer that dies in between leaves
 * an announcement: readers stay correct and read the log until it is removed.
 */
export class AnnouncedChange {
  readonly #table: Table;
  readonly #concerned: readonly Concerned[];
  readonly #id = newChangeId();
  #heads: readonly CollectionHead[] = [];

  constructor(table: Table, concerned: readonly Concerned[]) {
    this.#table = table;
    this.#concerned = concerned;
  }

  /** Whether any collection is concerned. */
  get isNeeded(): boolean {
    return this.#concerned.length > 0;
  }

  /** Whether one of the collections is about to go. */
  get isBeingRemoved(): boolean {
    return this.#heads.some(isBeingRemoved);
  }

  /** @throws Unavailable */
  async announce(): Promise<void> {
    this.#heads = await this.#forEach(announce);
  }

  /** Parts of the transaction: what is logged in the collections whose rows or columns change. */
  logItems(logged: (scope: CollectionScope, meetsImport: boolean) => readonly LoggedRecord[]): TransactItem[] {
    return this.#concerned.flatMap(({ scope, of }, index) => {
      const meetsImport = this.#heads[index]?.import !== undefined;
      if (of === 'content') return [];
      const marked = of === 'cells' ? { cells: true as const } : {};
      return logged(scope, meetsImport).map((record) =>
        logItem(this.#table, scope, this.#id, { ...record, ...marked }),
      );
    });
  }

  /** The change is committed. A failure to settle it must not fail the request: the announcement still stands. */
  async settle(): Promise<void> {
    const long = this.#concerned.filter((_, index) => isLong(this.#heads[index]));
    await Promise.allSettled([this.#forEach(settle), ...long.map(({ scope }) => noteLongLog(this.#table, scope))]);
  }

  /** The change was certainly not committed. */
  async withdraw(): Promise<void> {
    await this.#forEach(withdraw).catch(() => undefined);
  }

  #forEach<Result>(
    step: (table: Table, scope: CollectionScope, id: string, of: ChangeOf) => Promise<Result>,
  ): Promise<Result[]> {
    return Promise.all(this.#concerned.map(({ scope, of }) => step(this.#table, scope, this.#id, of)));
  }
}

const isLong = (head: CollectionHead | undefined): boolean => head !== undefined && isLongLogToNote(head);
