import { keys, type LoggedKind } from '../keys.ts';
import type { Key } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';
import type { CollectionScope } from './head.ts';

/** A record whose row has changed. The log has keys and no values. */
export interface LoggedRecord {
  readonly kind: LoggedKind;
  readonly modelId?: string;
  readonly id: string;
  /** For an entry: the creation time that this change stored. */
  readonly createdAt?: string;
  /** The revision of the record after this change; null if the change removed it. */
  readonly revision: string | null;
  /** Whether the change affects only the columns of the row. */
  readonly cells?: true;
  /**
   * Whether the change moved nothing in the record's row but its time stamp. Such a change is not announced: only who
   * needs time stamps cares for it, and reads the log.
   */
  readonly stamp?: true;
}

/** An item of the log (X2). */
export type LoggedChange = Key & LoggedRecord;

/** A write for the transaction that changes a record. Each change logs its own item, so writers never conflict. */
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

/** All changes since the base, and some that the base includes already. Access pattern X2. */
export const readLog = (table: Table, scope: CollectionScope): Promise<LoggedChange[]> =>
  Array.fromAsync(table.query(logOf(scope))) as Promise<unknown[]> as Promise<LoggedChange[]>;

/** The same, read once in a request, at whatever time somebody asks for it first. */
export const readLogOnce = (table: Table, scope: CollectionScope): Promise<LoggedChange[]> =>
  table.range(logOf(scope)) as Promise<unknown[]> as Promise<LoggedChange[]>;

const logOf = ({ workspaceId, collection }: CollectionScope) => ({ pk: keys.changeLog(workspaceId, collection) });
