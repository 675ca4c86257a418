import { randomBytes } from 'node:crypto';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';

/** A collection of a workspace: the stored index of one kind of list. */
export interface CollectionScope {
  readonly workspaceId: string;
  readonly collection: string;
}

/**
 * The small item that is read with every list (X1). It names the base of the collection and tells whether anything has
 * changed since a reader saw it last. Beside these attributes it has one for each change under way: `p#<change>` for a
 * change of rows, `c#<change>` for a change of what the columns of rows hold, `u#<change>` for a change of other content.
 */
export interface CollectionHead {
  /** Identifies this head. A head that is created again after its removal has another value. */
  readonly born: string;
  /** The number of changes of rows, so that no version repeats. */
  readonly version?: number;
  /** The id of the last settled change. */
  readonly last?: string;
  /** Counts the changes of records whose rows have stayed as they are. */
  readonly content?: number;
  /** Counts the changes of columns alone. */
  readonly cells?: number;
  /** The change of columns that was settled last. */
  readonly lastCells?: string;
  /** The epoch of the valid columns. It begins with their time; columns of other epochs are ignored. */
  readonly columns?: string;
  /** Identifies the rows in the directory; absent until they are first written. */
  readonly base?: string;
  /** The id of the part that lists all others. */
  readonly directory?: string;
  /** Number of rows of the base, where the collection has one list. */
  readonly total?: number;
  /** The version at which the base became current. The difference is roughly the length of the log. */
  readonly baseVersion?: number;
  /** The same of the changes of columns. */
  readonly baseCells?: number;
  /** When the base became current, in milliseconds since 1970. */
  readonly since?: number;
  /** The import that is under way, or was interrupted. */
  readonly import?: string;
  /** The change that removes the collection. Its id has the time; an old removal was given up. */
  readonly removing?: string;
}

/** The effect of a change on a collection: on rows, on values of columns, or on other content of the records. */
export type ChangeOf = 'rows' | 'cells' | 'content';

const prefixes = { rows: 'p#', cells: 'c#', content: 'u#' } as const;
const counters = { rows: 'version', cells: 'cells', content: 'content' } as const;
const lasts = { rows: 'last', cells: 'lastCells', content: 'last' } as const;

export const headKey = ({ workspaceId, collection }: CollectionScope): Key => keys.indexHead(workspaceId, collection);

/** A new id for a change. Ids sort by time and are unique. */
export const newChangeId = (): string => `${Date.now().toString(36).padStart(9, '0')}${randomBytes(6).toString('hex')}`;

/** When a change was announced, in milliseconds since 1970, by the clock of its writer. */
export const timeOf = (changeId: string): number => Number.parseInt(changeId.slice(0, 9), 36);

/** The version of the rows, valid while no change is under way. */
export const rowsVersion = ({ born, base = '', version = 0, last = '' }: CollectionHead): string =>
  [born, base, version, last].join('.');

/** The version of rows and columns, valid while no change is under way. */
export const cellsVersion = (head: CollectionHead): string =>
  [rowsVersion(head), head.cells ?? 0, head.lastCells ?? '', head.columns ?? ''].join('.');

/** The version of rows and records, valid while no change is under way. */
export const contentVersion = (head: CollectionHead): string => `${cellsVersion(head)}.${head.content ?? 0}`;

/** Whether no change of rows is under way, so that their version is valid. */
export const areRowsQuiet = (head: CollectionHead): boolean => head.import === undefined && !has(head, 'p#');

/** Whether no change of rows or columns is under way. */
export const areCellsQuiet = (head: CollectionHead): boolean => areRowsQuiet(head) && !has(head, 'c#');

/** Whether no change at all is under way. */
export const isContentQuiet = (head: CollectionHead): boolean => areCellsQuiet(head) && !has(head, 'u#');

const has = (head: CollectionHead, prefix: string): boolean => {
  for (const name in head) if (name.startsWith(prefix)) return true;
  return false;
};

/** The names of the attributes that announce changes. */
export const announcementsOf = (head: CollectionHead): string[] =>
  Object.keys(head).filter((name) => Object.values<string>(prefixes).includes(name.slice(0, 2)));

/** No request lasts that long, so the writer of such a change has died. */
const announcementMillisecondsMax = 15 * 60_000;

/** The announcements of writers that have died. */
export const expiredAnnouncements = (head: CollectionHead): string[] =>
  announcementsOf(head).filter((name) => timeOf(name.slice(2)) < Date.now() - announcementMillisecondsMax);

/**
 * The first step of a change: tells readers not to trust the version until the change is settled. Plain updates of one
 * item do not conflict with each other.
 * @returns the head with the announcement
 * @throws Unavailable
 */
export async function announce(
  table: Table,
  scope: CollectionScope,
  changeId: string,
  of: ChangeOf,
): Promise<CollectionHead> {
  const head = await table.update(headKey(scope), announcement(changeId, of));
  // The next read of it in this request takes no round trip.
  table.remember(head);
  return head as Item & CollectionHead;
}

/** The same as a part of the change's transaction. It fails when an import or a removal of the collection has begun. */
export const announcementWrite = (
  { name: TableName }: Table,
  scope: CollectionScope,
  changeId: string,
  of: ChangeOf,
): TransactItem => {
  const { ExpressionAttributeNames, ...update } = announcement(changeId, of);
  return {
    Update: {
      TableName,
      Key: headKey(scope),
      ...update,
      ConditionExpression: 'attribute_not_exists(#import) AND attribute_not_exists(#removing)',
      ExpressionAttributeNames: { ...ExpressionAttributeNames, '#import': 'import', '#removing': 'removing' },
    },
  };
};

const announcement = (changeId: string, of: ChangeOf) => ({
  UpdateExpression: 'SET #change = :one, #born = if_not_exists(#born, :born)',
  ExpressionAttributeNames: { '#change': `${prefixes[of]}${changeId}`, '#born': 'born' },
  ExpressionAttributeValues: { ':one': 1, ':born': changeId },
});

/** The last step of a change that is committed. Counting up makes a late repetition harmless. @throws Unavailable */
export async function settle(table: Table, scope: CollectionScope, changeId: string, of: ChangeOf): Promise<void> {
  await table.update(headKey(scope), {
    UpdateExpression: 'ADD #counter :one SET #last = :change, #born = if_not_exists(#born, :change) REMOVE #change',
    ExpressionAttributeNames: {
      '#change': `${prefixes[of]}${changeId}`,
      '#born': 'born',
      '#last': lasts[of],
      '#counter': counters[of],
    },
    ExpressionAttributeValues: { ':one': 1, ':change': changeId },
    ReturnValues: 'NONE',
  });
}

/** Takes back the announcement of a change that was certainly not committed. @throws Unavailable, ConditionFailed without one */
export async function withdraw(table: Table, scope: CollectionScope, changeId: string, of: ChangeOf): Promise<void> {
  await table.update(headKey(scope), {
    UpdateExpression: 'REMOVE #change',
    ConditionExpression: 'attribute_exists(#change)',
    ExpressionAttributeNames: { '#change': `${prefixes[of]}${changeId}` },
    ReturnValues: 'NONE',
  });
}
