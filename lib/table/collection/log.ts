import { keys, type LoggedKind } from '../keys.ts';
import type { Key } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';
import type { CollectionScope } from './head.ts';

/** A changed record in the log. The log has keys, no values. */
export interface LoggedRecord {
  readonly kind: LoggedKind;
  readonly modelId?: string;
  readonly id: string;
  /** Of an entry: its creation time after this change. */
  readonly createdAt?: string;
  /** The revision of the record after this change; null if the change removed it. */
  readonly revision: string | null;
  /** Whether the change affects only column values of the row. */
  readonly cells?: true;
  /**
   * Whether only the time stamp of the row changed. Such a change is not announced, so readers that need time stamps
   * always read the log.
   */
  readonly stamp?: true;
}

/** An item of the log (X2). */
export type LoggedChange = Key & LoggedRecord;

/**
 * Logs a change, as part of the transaction that changes the record. Each change has its own item, so writers never
 * conflict.
 */
export const logItem = (
  { workspaceId, collection }: CollectionScope,
  changeId: string,
  record: LoggedRecord,
): TransactItem => ({
  Put: {
    Item: {
      ...keys.loggedChange(workspaceId, collection, changeId, `${record.createdAt ?? ''}${record.id}`),
      ...record,
    },
  },
});

/** All changes since the base, and some that the base already includes. Access pattern X2. */
export const readLog = (table: Table, scope: CollectionScope): Promise<LoggedChange[]> =>
  Array.fromAsync(table.query(logOf(scope))) as Promise<unknown[]> as Promise<LoggedChange[]>;

/** The same log, cached for the request from its first read on. */
export const readCachedLog = (table: Table, scope: CollectionScope): Promise<LoggedChange[]> =>
  table.range(logOf(scope)) as Promise<unknown[]> as Promise<LoggedChange[]>;

const logOf = ({ workspaceId, collection }: CollectionScope) => ({ pk: keys.changeLog(workspaceId, collection) });
