import { randomUUID } from 'node:crypto';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { chunkRows, headKey, IndexMoved, type PartScope, partItem, readHead } from './collection-index.ts';
import { ConditionFailed, Unavailable } from './errors.ts';
import { keys } from './keys.ts';
import {
  loadRelations,
  loggedChangesSoon,
  type ProductRelations,
  type RelationDirectory,
  type RelationHead,
  type RelationRows,
  relationScope,
  withChanges,
} from './product-relations.ts';
import type { Table } from './table.ts';

const triesMax = 20;

/** The relations as they are when they are written anew. */
export interface CurrentRelations extends ProductRelations {
  /** Whether the row of an entry was just made from the entry itself, because an update had been logged. */
  readonly isFresh: (modelId: string, id: string) => boolean;
  /** How many changes the head's log holds. */
  readonly logged: number;
}

/**
 * Writes the directory of relations anew, with all changes logged so far, in one step. Updates go on meanwhile: when
 * one of them has moved the head, everything is read again.
 * @param revise makes the new state of the current one; nothing when it is to stay as it is
 */
export async function rewriteRelations(
  table: Table,
  scope: WorkspaceScope,
  revise: (current: CurrentRelations | undefined) => Promise<ProductRelations | undefined>,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    try {
      if (await tryRewrite(table, scope, revise)) return;
    } catch (error) {
      if (!(error instanceof IndexMoved)) throw error;
    }
  }
  throw new Unavailable('The relations kept changing while they were written.');
}

/** @returns false when the head has moved meanwhile @throws IndexMoved */
async function tryRewrite(
  table: Table,
  scope: WorkspaceScope,
  revise: (current: CurrentRelations | undefined) => Promise<ProductRelations | undefined>,
): Promise<boolean> {
  const reads = table.fresh();
  const head = (await readHead(reads, relationScope(scope))) as RelationHead | undefined;
  const current = head && (await currentRelations(reads, scope, head));
  const next = await revise(current);
  if (!next) return true;
  const partIds = await replace(table, scope, head, next);
  if (!partIds) return false;
  if (head && current) await removeParts(table, scope, partIdsOf(head, current.directory).difference(partIds));
  return true;
}

/** Makes room in the head's log, unless another update has made it meanwhile. */
export const compactRelations = (table: Table, scope: WorkspaceScope): Promise<void> =>
  rewriteRelations(table, scope, async (current) => {
    if (!current) throw new Unavailable('The relations are still being imported.');
    return current.logged < loggedChangesSoon ? undefined : current;
  });

async function currentRelations(table: Table, scope: WorkspaceScope, head: RelationHead): Promise<CurrentRelations> {
  const base = await loadRelations(table, scope, head);
  const rows = await withChanges(table, scope, base, head.log);
  const logged = new Set(head.log.map(([modelId, id]) => `${modelId} ${id}`));
  return {
    ...base,
    rows,
    schemaVersion: head.schemaVersion,
    isFresh: (modelId, id) => logged.has(`${modelId} ${id}`),
    logged: head.log.length,
  };
}

/** @returns what the new head names; nothing when the old one has moved meanwhile */
async function replace(
  table: Table,
  scope: WorkspaceScope,
  before: RelationHead | undefined,
  { directory, rows, schemaVersion }: ProductRelations,
): Promise<ReadonlySet<string> | undefined> {
  const version = randomUUID();
  const { parts, content } = partsOf({ ...relationScope(scope), edition: version }, directory, rows);
  const last = partItem({ ...relationScope(scope), edition: version }, content);
  await table.write([...parts, last].map((part) => ({ put: part })));
  const head: RelationHead = { version, directory: last.partId, total: 0, schemaVersion, base: version, log: [] };
  try {
    await table.put({ ...headKey(relationScope(scope)), ...head }, unchanged(before));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // A write whose reply was lost is repeated by the SDK and then finds itself in place, maybe with updates logged since.
    if (error.item?.['base'] !== version) {
      await table.write([...parts, last].map((part) => ({ remove: part })));
      return undefined;
    }
  }
  return new Set([...parts, last].map(({ partId }) => partId));
}

function partsOf(scope: PartScope, directory: RelationDirectory, rows: RelationRows) {
  const models = Object.entries(directory).map(([modelId, { fields }]) => {
    const list = [...(rows.get(modelId)?.values() ?? [])];
    list.sort((a, b) => (`${a.createdAt}#${a.id}` < `${b.createdAt}#${b.id}` ? -1 : 1));
    const { parts, directory: chunks } = chunkRows(scope, list);
    return { modelId, fields, chunks, parts };
  });
  return {
    parts: models.flatMap(({ parts }) => parts),
    content: Object.fromEntries(models.map(({ modelId, fields, chunks }) => [modelId, { fields, chunks }])),
  };
}

const unchanged = (before: RelationHead | undefined) =>
  before
    ? {
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': before.version },
      }
    : { ConditionExpression: 'attribute_not_exists(pk)' };

/** Only what the head before named: others may have written parts for a head that is to follow. */
const removeParts = (table: Table, scope: WorkspaceScope, partIds: ReadonlySet<string>): Promise<void> => {
  const { workspaceId, collection } = relationScope(scope);
  return table.write([...partIds].map((partId) => ({ remove: keys.indexPart(workspaceId, collection, partId) })));
};

const partIdsOf = ({ directory }: RelationHead, content: RelationDirectory): Set<string> =>
  new Set([directory, ...Object.values(content).flatMap(({ chunks }) => chunks.map(([partId]) => partId))]);
