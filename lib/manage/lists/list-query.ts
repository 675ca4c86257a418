import type { ManageRequest } from '../managed-record.ts';

/** The caller of a list, and its table. */
export type ListRequest = Pick<ManageRequest, 'principal' | 'table'>;

/** The parameters of a list. All but `limit` and `after` identify the list. */
export interface ListQuery {
  readonly limit: number;
  /** The position of the previous page's last record, from that page's cursor. */
  readonly after: unknown;
  /** The folded words of `q`. */
  readonly words: readonly string[];
  /** The parameters of this kind alone. */
  readonly kindParameters: Readonly<Record<string, unknown>>;
}

export interface ListPage {
  readonly records: readonly object[];
  /** The position of the last record, if more follow; else undefined. */
  readonly next: unknown;
}

export type ReadPage = (request: ListRequest, query: ListQuery) => Promise<ListPage>;
