import { createdAtOf, idOf, type Row, sortKeyOf } from '../cms/entry-row.ts';
import type { BatchWrite } from '../dynamodb/write-all.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { Table } from '../table.ts';

/** An entry with a new creation time, so that the import moves it to another item. */
export interface EntryMove {
  readonly former: Key;
  readonly next: Key;
  readonly createdAt: string;
}

interface MarkUpdate {
  readonly key: Key;
  readonly UpdateExpression: string;
  readonly ExpressionAttributeValues?: Readonly<Record<string, string | boolean>>;
}

const marksPerBatch = 25;

/** Marks the former items of moved entries. From then on, updates go to the new items. */
export const markMovedItems = (table: Table, moves: readonly EntryMove[]): Promise<void> =>
  markItems(
    table,
    moves.map(({ former, createdAt }) => ({
      key: former,
      UpdateExpression: 'SET movedTo = :createdAt',
      ExpressionAttributeValues: { ':createdAt': createdAt },
    })),
  );

/**
 * Ends the moves after the new index is published. It removes the former items, which no reader needs any more.
 * Unpublished entries become drafts only now, so that no list lacks an entry of its total.
 * @param unpublished the unpublished entries, with their new revisions
 */
export async function finishMoves(
  table: Table,
  moves: readonly EntryMove[],
  unpublished: readonly (readonly [key: Key, revision: string])[],
): Promise<void> {
  const drafts = unpublished.map(([key, revision]) => ({
    key,
    UpdateExpression: 'SET published = :published, revision = :revision',
    ExpressionAttributeValues: { ':published': false, ':revision': revision },
  }));
  await markItems(table, drafts);
  await markItems(
    table,
    moves.map(({ next }) => ({ key: next, UpdateExpression: 'REMOVE movedFrom' })),
  );
}

async function markItems(table: Table, updates: readonly MarkUpdate[]): Promise<void> {
  for (let start = 0; start < updates.length; start += marksPerBatch) {
    await Promise.all(
      updates
        .slice(start, start + marksPerBatch)
        .map(({ key, ...update }) =>
          table
            .update(key, { ...update, ConditionExpression: 'attribute_exists(pk)', ReturnValues: 'NONE' })
            .catch(ignoreMissing),
        ),
    );
  }
}

const ignoreMissing = (error: unknown): void => {
  if (!(error instanceof ConditionFailed)) throw error;
};

export interface Database {
  readonly workspaceId: string;
  readonly modelId: string;
}

/** The item by which an entry is found under its id. */
export const entryPointer = ({ workspaceId, modelId }: Database, id: string, row: Row): Item => ({
  ...keys.cmsEntryPointer(workspaceId, modelId, id),
  createdAt: createdAtOf(row),
});

/**
 * Removes items of an interrupted import. No index contains them, so no reader has seen them.
 * @param listed the row of an entry in the new index
 */
export async function discardStrays(
  table: Table,
  database: Database,
  listed: (id: string) => Row | undefined,
): Promise<void> {
  const { workspaceId, modelId } = database;
  const pointers: BatchWrite[] = [];
  const strays: BatchWrite[] = [];
  for await (const item of table.query({ pk: keys.cmsEntries(workspaceId, modelId), only: ['pk', 'sk'] })) {
    if (sortKeyOf(listed(idOf(item.sk)) ?? '') !== item.sk) strays.push({ remove: item });
  }
  for await (const item of table.query({ pk: keys.cmsEntryPointers(workspaceId, modelId) })) {
    const row = listed(item.sk);
    if (row === undefined) strays.push({ remove: item });
    else if (createdAtOf(row) !== item['createdAt']) pointers.push({ put: entryPointer(database, item.sk, row) });
  }
  // Pointers first: until an entry's pointer names its new item, readers find it through the former one.
  await table.write(pointers);
  await table.write(strays);
}
