import type { PageRequest } from '#lib/http/page.ts';
import type { ManageRequest } from '../managed-record.ts';

/** The caller of a list, and its table. */
export type ListRequest = Pick<ManageRequest, 'principal' | 'table'>;

/** A page of a list of one kind. */
export interface ListQuery extends PageRequest {
  /** The folded words of `q`. */
  readonly words: readonly string[];
  /** The parameters of this kind alone. */
  readonly kindParameters: Readonly<Record<string, unknown>>;
}

export interface ListPage {
  readonly records: readonly object[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

export type ReadPage = (request: ListRequest, query: ListQuery) => Promise<ListPage>;
