import type { ManageRequest } from '../managed-record.ts';

/** Whose list is read. */
export type ListRequest = Pick<ManageRequest, 'principal' | 'table'>;

/** What a list is asked for; all but `limit` and `after` tells lists apart. */
export interface ListQuery {
  readonly limit: number;
  /** The position of the last record of the page before, as that page has said it. */
  readonly after: unknown;
  /** The folded words of `q`. */
  readonly words: readonly string[];
  /** What only this kind's list takes. */
  readonly own: Readonly<Record<string, unknown>>;
}

export interface ListPage {
  readonly records: readonly object[];
  /** The position of the last record, where there are more; else undefined. */
  readonly next: unknown;
}

export type ReadPage = (request: ListRequest, query: ListQuery) => Promise<ListPage>;
