import { randomUUID } from 'node:crypto';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { type RelationRow, relationRow } from '#lib/domain/product-relation.ts';
import { BoundedCache } from './bounded-cache.ts';
import { type Directory, headKey, type IndexHead, type IndexScope, loadPart, readHead } from './collection-index.ts';
import { keys, relationCollection } from './keys.ts';
import type { Item } from './schema.ts';
import type { StoredEntry } from './stored-entry.ts';
import type { Table, TransactItem } from './table.ts';

/** One update since the directory was written: an entry whose row has to be looked at anew. */
export type LoggedChange = readonly [modelId: string, id: string, createdAt: string];

/** The relation head (X1): moved by every change that `cmsData` could show. */
export interface RelationHead extends IndexHead {
  /** The version of the CMS databases, so that a change of their fields is noticed with the same read. */
  readonly schemaVersion: string;
  /** The version under which the directory was written; the log goes on from there. */
  readonly base: string;
  readonly log: readonly LoggedChange[];
}

/** By database: the fields that relate, and the chunks of the rows of entries that have something in them. */
export type RelationDirectory = Readonly<
  Record<string, { readonly fields: readonly string[]; readonly chunks: Directory }>
>;

/** The rows of every database, by entry id. */
export type RelationRows = ReadonlyMap<string, ReadonlyMap<string, RelationRow>>;

export interface ProductRelations {
  readonly schemaVersion: string;
  readonly directory: RelationDirectory;
  readonly rows: RelationRows;
}

/** From so many logged changes on, an update writes the directory anew, so that the head stays one unit to read. */
export const loggedChangesSoon = 25;
/** The head has room for no more; an update waits until the directory is written anew. */
export const loggedChangesMax = 150;

/** How many rows a warm function holds, of all workspaces together; with what is made of it, one weighs about 1 KB. */
const rowsMax = 10_000;
const known = new BoundedCache<ProductRelations & { readonly head: RelationHead }>(rowsMax);

export const relationScope = ({ workspaceId }: WorkspaceScope): IndexScope => ({
  workspaceId,
  collection: relationCollection,
});

/** One small read when nothing has changed; else the entries that were updated since, or all rows. @throws IndexMoved */
export async function readProductRelations(table: Table, scope: WorkspaceScope): Promise<ProductRelations | undefined> {
  const head = (await readHead(table, relationScope(scope))) as RelationHead | undefined;
  if (!head) return undefined;
  const before = known.get(scope.workspaceId);
  if (before?.head.version === head.version) return before;
  // Not the directory's id, which is made of its content: written anew it may be the same, with another log.
  const continues = before?.head.base === head.base;
  const base = continues ? before : await loadRelations(table, scope, head);
  const news = continues ? head.log.slice(before.head.log.length) : head.log;
  const rows = await withChanges(table, scope, base, news);
  const relations = { head, schemaVersion: head.schemaVersion, directory: base.directory, rows };
  known.set(scope.workspaceId, relations, countRows(rows) + 1);
  return relations;
}

/** The rows as the directory has them, without the changes logged since. @throws IndexMoved */
export async function loadRelations(
  table: Table,
  scope: WorkspaceScope,
  head: RelationHead,
): Promise<Pick<ProductRelations, 'directory' | 'rows'>> {
  const { content: directory } = await loadPart<RelationDirectory>(table, relationScope(scope), head.directory);
  const rows = await Promise.all(
    Object.entries(directory).map(async ([modelId, { chunks }]) => {
      const parts = chunks.map(([partId]) => loadPart<RelationRow[]>(table, relationScope(scope), partId));
      const list = (await Promise.all(parts)).flatMap(({ content }) => content);
      return [modelId, new Map(list.map((row) => [row.id, row]))] as const;
    }),
  );
  return { directory, rows: new Map(rows) };
}

/** Reads the entries that were changed, and puts their rows in place of those before. */
export async function withChanges(
  table: Table,
  { workspaceId }: WorkspaceScope,
  { directory, rows }: Pick<ProductRelations, 'directory' | 'rows'>,
  changes: readonly LoggedChange[],
): Promise<RelationRows> {
  const reads = table.fresh();
  const after = new Map([...rows].map(([modelId, byId]) => [modelId, new Map(byId)]));
  await Promise.all(
    changes.map(async ([modelId, id, createdAt]) => {
      const entry = (await reads.get(keys.cmsEntry(workspaceId, modelId, createdAt, id))) as StoredEntry | undefined;
      const row = entry && relationRow(entry, directory[modelId]?.fields ?? []);
      if (row) after.get(modelId)?.set(id, row);
      else after.get(modelId)?.delete(id);
    }),
  );
  return after;
}

/** Part of the transaction that updates an entry of a database that relates to products. */
export function logChange(table: Table, scope: WorkspaceScope, change: LoggedChange): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: headKey(relationScope(scope)),
      UpdateExpression: 'SET #version = :version, #log = list_append(#log, :change)',
      ConditionExpression: 'size(#log) < :max',
      ExpressionAttributeNames: { '#version': 'version', '#log': 'log' },
      ExpressionAttributeValues: { ':version': randomUUID(), ':change': [change], ':max': loggedChangesMax },
    },
  };
}

/** Whether it is this update's turn: one of many that find the log long at once is enough. */
export async function isTimeToCompact(table: Table, scope: WorkspaceScope): Promise<boolean> {
  table.forget(headKey(relationScope(scope)));
  const head = (await table.get(headKey(relationScope(scope)))) as (Item & RelationHead) | undefined;
  const over = (head?.log.length ?? 0) - loggedChangesSoon;
  return over >= 0 && over % 10 === 0;
}

/** Names everything that `cmsData` can show, at the price of the head alone. */
export async function readRelationVersion(table: Table, scope: WorkspaceScope): Promise<string> {
  return (await readHead(table, relationScope(scope)))?.version ?? '';
}

const countRows = (rows: RelationRows): number => [...rows.values()].reduce((sum, { size }) => sum + size, 0);
