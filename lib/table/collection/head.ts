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
 * The small item that is read with every list (X1). It names the base, and shows whether anything has changed since an
 * earlier read. It has one more attribute per change in progress. Its name is `p#<change>` for rows, `c#<change>` for
 * column values, and `u#<change>` for other content.
 */
export interface CollectionHead {
  /** Identifies this head. A head that is created again after its removal has another value. */
  readonly born: string;
  /** Counts the changes of rows, so that no version repeats. */
  readonly version?: number;
  /** The id of the last settled change. */
  readonly last?: string;
  /** The id of the last announced change of any kind. */
  readonly latest?: string;
  /** Counts the changes of records whose rows stayed the same. */
  readonly content?: number;
  /** Counts the changes of column values alone. */
  readonly cells?: number;
  /** The id of the last settled change of column values. */
  readonly lastCells?: string;
  /** The epoch of the valid columns, an id that begins with its time. Columns of other epochs are ignored. */
  readonly columns?: string;
  /** Identifies the stored rows; absent until they are first written. */
  readonly base?: string;
  /** The id of the part that names all other parts. */
  readonly directory?: string;
  /** The number of rows of the base, if the collection has a single list. */
  readonly total?: number;
  /** The version when the base became current. `version` minus this is about the number of logged changes. */
  readonly baseVersion?: number;
  /** The same for `cells`. */
  readonly baseCells?: number;
  /** When the base became current, in milliseconds since 1970. */
  readonly since?: number;
  /** The id of the import that is under way or was interrupted. */
  readonly import?: string;
  /** The id of the removal under way, which contains its time. An old one was given up. */
  readonly removing?: string;
}

/** What a change affects in a collection: its rows, column values alone, or other content of the records. */
export type Effect = 'rows' | 'cells' | 'content';

const prefixes = { rows: 'p#', cells: 'c#', content: 'u#' } as const;
const counters = { rows: 'version', cells: 'cells', content: 'content' } as const;
const lasts = { rows: 'last', cells: 'lastCells', content: 'last' } as const;

export const headKey = ({ workspaceId, collection }: CollectionScope): Key => keys.indexHead(workspaceId, collection);

/** A new id for a change. Ids sort by time and are unique. */
export const newChangeId = (): string => `${Date.now().toString(36).padStart(9, '0')}${randomBytes(6).toString('hex')}`;

/** The time of a change's announcement by the clock of its writer, in milliseconds since 1970. */
export const timeOf = (changeId: string): number => Number.parseInt(changeId.slice(0, 9), 36);

/** The version of the rows. It is valid while no change of rows is under way. */
export const rowsVersion = ({ born, base = '', version = 0, last = '' }: CollectionHead): string =>
  [born, base, version, last].join('.');

/** The version of rows and columns. It is valid while no change of them is under way. */
export const cellsVersion = (head: CollectionHead): string =>
  [rowsVersion(head), head.cells ?? 0, head.lastCells ?? '', head.columns ?? ''].join('.');

/** The version of rows, columns and records. It is valid while no change is under way. */
export const contentVersion = (head: CollectionHead): string => `${cellsVersion(head)}.${head.content ?? 0}`;

/** Whether no change of rows is under way, so that their version is valid. */
export const areRowsStable = (head: CollectionHead): boolean => head.import === undefined && !has(head, prefixes.rows);

/** Whether no change of rows or columns is under way. */
export const areCellsStable = (head: CollectionHead): boolean => areRowsStable(head) && !has(head, prefixes.cells);

/** Whether no change at all is under way. */
export const isContentStable = (head: CollectionHead): boolean => areCellsStable(head) && !has(head, prefixes.content);

const has = (head: CollectionHead, prefix: string): boolean => {
  for (const name in head) if (name.startsWith(prefix)) return true;
  return false;
};

/** The names of the attributes that announce changes. */
export const announcementsOf = (head: CollectionHead): string[] =>
  Object.keys(head).filter((name) => Object.values<string>(prefixes).includes(name.slice(0, 2)));

/** Whether an announcement is of a change of rows. @param name that of its attribute */
export const announcesRows = (name: string): boolean => name.startsWith(prefixes.rows);

/** No request lasts this long, so the writer of an older announcement has died. */
const announcementMillisecondsMax = 15 * 60_000;

/** The announcements of writers that have died. */
export const expiredAnnouncements = (head: CollectionHead): string[] =>
  announcementsOf(head).filter((name) => timeOf(name.slice(2)) < Date.now() - announcementMillisecondsMax);

/**
 * The first step of a change: invalidates the version for readers until the change is settled. Plain updates of one
 * item do not conflict with each other.
 * @returns the head with the announcement
 * @throws Unavailable
 */
export async function announce(
  table: Table,
  scope: CollectionScope,
  changeId: string,
  effect: Effect,
): Promise<CollectionHead> {
  const head = await table.update(headKey(scope), announcement(changeId, effect));
  // The next read of the head in this request takes no round trip.
  table.prime(head);
  return head as Item & CollectionHead;
}

/**
 * An announcement as part of the change's transaction. Its condition fails during an import or a removal of the
 * collection.
 * @param seen a head: the condition also fails if another change was announced after it
 */
export const announcementWrite = (
  scope: CollectionScope,
  changeId: string,
  effect: Effect,
  seen?: CollectionHead,
): TransactItem => {
  const { ExpressionAttributeNames, ExpressionAttributeValues, ...update } = announcement(changeId, effect);
  const isLatest = seen?.latest === undefined ? 'attribute_not_exists(#latest)' : '#latest = :latest';
  return {
    Update: {
      Key: headKey(scope),
      ...update,
      ConditionExpression: [
        'attribute_not_exists(#import) AND attribute_not_exists(#removing)',
        ...(seen ? [isLatest] : []),
      ].join(' AND '),
      ExpressionAttributeNames: { ...ExpressionAttributeNames, '#import': 'import', '#removing': 'removing' },
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ...(seen?.latest && { ':latest': seen.latest }) },
    },
  };
};

const announcement = (changeId: string, effect: Effect) => ({
  UpdateExpression: 'SET #change = :one, #latest = :change, #born = if_not_exists(#born, :change)',
  ExpressionAttributeNames: { '#change': `${prefixes[effect]}${changeId}`, '#latest': 'latest', '#born': 'born' },
  ExpressionAttributeValues: { ':one': 1, ':change': changeId },
});

/**
 * The last step of a committed change. It always raises the counter, so a late retry is harmless.
 * @throws Unavailable
 */
export async function settle(table: Table, scope: CollectionScope, changeId: string, effect: Effect): Promise<void> {
  await table.update(headKey(scope), {
    UpdateExpression: 'ADD #counter :one SET #last = :change, #born = if_not_exists(#born, :change) REMOVE #change',
    ExpressionAttributeNames: {
      '#change': `${prefixes[effect]}${changeId}`,
      '#born': 'born',
      '#last': lasts[effect],
      '#counter': counters[effect],
    },
    ExpressionAttributeValues: { ':one': 1, ':change': changeId },
    ReturnValues: 'NONE',
  });
}

/**
 * Takes back the announcement of a change that was certainly not committed.
 * @throws Unavailable, ConditionFailed if there is none
 */
export async function withdraw(table: Table, scope: CollectionScope, changeId: string, effect: Effect): Promise<void> {
  await table.update(headKey(scope), {
    UpdateExpression: 'REMOVE #change',
    ConditionExpression: 'attribute_exists(#change)',
    ExpressionAttributeNames: { '#change': `${prefixes[effect]}${changeId}` },
    ReturnValues: 'NONE',
  });
}
