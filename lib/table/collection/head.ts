import { randomBytes } from 'node:crypto';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';

/** A collection of a workspace: what one kind of list is made of. */
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
  /** Names this head: one that is made again after its removal has another name. */
  readonly born: string;
  /** Counts the changes of rows, so that no version comes twice. */
  readonly version?: number;
  /** The change that was settled last. */
  readonly last?: string;
  /** Counts the changes of records whose rows have stayed as they are. */
  readonly content?: number;
  /** Counts the changes of columns alone. */
  readonly cells?: number;
  /** The change of columns that was settled last. */
  readonly lastCells?: string;
  /** Names the columns that count from a time on, which it begins with; what was stored for others counts no more. */
  readonly columns?: string;
  /** Names the rows that the directory lists; absent until they are written for the first time. */
  readonly base?: string;
  /** The part that names all others. */
  readonly directory?: string;
  /** Number of rows of the base, where the collection has one list. */
  readonly total?: number;
  /** The version when the base became current; the difference is about the length of the log. */
  readonly baseVersion?: number;
  /** The same of the changes of columns. */
  readonly baseCells?: number;
  /** When the base became current, in milliseconds since 1970. */
  readonly since?: number;
  /** The import that is under way, or was stopped half-way. */
  readonly import?: string;
  /** The change that removes the collection; it names the time, after which the removal was given up. */
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

/** Names the rows as they were when no change was under way. */
export const rowsVersion = ({ born, base = '', version = 0, last = '' }: CollectionHead): string =>
  [born, base, version, last].join('.');

/** Names the rows and what their columns hold, as they were when no change was under way. */
export const cellsVersion = (head: CollectionHead): string =>
  [rowsVersion(head), head.cells ?? 0, head.lastCells ?? '', head.columns ?? ''].join('.');

/** Names the rows and all records of the collection as they were when no change was under way. */
export const contentVersion = (head: CollectionHead): string => `${cellsVersion(head)}.${head.content ?? 0}`;

/** Whether no change of rows is under way, so that the version names them exactly. */
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

/** No request lives that long: the writer of such a change has died. */
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
  // Who asks for it next is spared a round trip.
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
