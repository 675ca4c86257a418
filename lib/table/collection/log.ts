import { keys, type LoggedKind } from '../keys.ts';
import type { Key } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';
import type { CollectionScope } from './head.ts';

/** A record whose row has to be made anew. The log holds keys, no values. */
export interface LoggedRecord {
  readonly kind: LoggedKind;
  readonly modelId?: string;
  readonly id: string;
  /** Position at which this change stored an entry. */
  readonly createdAt?: string;
  /** The revision of the record after this change; null when the change has removed it. */
  readonly revision: string | null;
  /** Whether the change concerns the columns of the record's row alone. */
  readonly cells?: true;
  /**
   * Whether the change moved nothing in the record's row but its time stamp. Such a change is not announced: only who
   * needs time stamps cares for it, and reads the log.
   */
  readonly stamp?: true;
}

/** An item of the log (X2). */
export type LoggedChange = Key & LoggedRecord;

/** Part of the transaction that changes a record: an item of its own, so that two writers never meet. */
export const logItem = (
  table: Table,
  { workspaceId, collection }: CollectionScope,
  changeId: string,
  record: LoggedRecord,
): TransactItem => ({
  Put: {
    TableName: table.name,
    Item: {
      ...keys.loggedChange(workspaceId, collection, changeId, `${record.createdAt ?? ''}${record.id}`),
      ...record,
    },
  },
});

/** All changes since the base, and some that the base has already. Access pattern X2. */
export const readLog = (table: Table, scope: CollectionScope): Promise<LoggedChange[]> =>
  Array.fromAsync(table.query(logOf(scope))) as Promise<unknown[]> as Promise<LoggedChange[]>;

/** The same, read once in a request, at whatever time somebody asks for it first. */
export const readLogOnce = (table: Table, scope: CollectionScope): Promise<LoggedChange[]> =>
  table.range(logOf(scope)) as Promise<unknown[]> as Promise<LoggedChange[]>;

const logOf = ({ workspaceId, collection }: CollectionScope) => ({ pk: keys.changeLog(workspaceId, collection) });
