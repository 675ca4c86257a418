import { type RelationRow, relationRow } from '#lib/domain/cms/product-relation.ts';
import { CmsEntries } from '../cms/cms-entries.ts';
import { Collection, type CollectionState } from '../collection/collection.ts';
import { type CollectionScope, type Directory, loadPart, loadParts } from '../collection/head.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Table, WorkspaceScope } from '../table.ts';
import {
  noRelations,
  type RelationBase,
  type RelationsOfModel,
  type RelationsOfModels,
  relationScope,
  type StoredRelations,
} from './relation-base.ts';

/** The relations from CMS entries to products. Changed rows are by `modelId id`. */
export type ProductRelations = CollectionState<RelationBase, RelationRow>;

/** The approximate size of a row in memory, derived data included. */
const rowBytes = 850;

/** The address of an entry among the entries of all databases. */
export const relationAddress = (modelId: string, id: string): string => `${modelId} ${id}`;

const relations = new Collection<RelationBase, RelationRow>({
  rowBytes,
  addressOf: ({ modelId = '', id }) => relationAddress(modelId, id),
  loadBase: async ({ table, scope, head, previous }) => {
    const stored =
      head.directory === undefined
        ? noRelations
        : (await loadPart<StoredRelations>(table, scope, head.directory)).content;
    const count = Object.values(stored.models).flatMap(({ chunks }) => chunks.map(([, rows]) => rows));
    const bytes = rowBytes * count.reduce((sum, rows) => sum + rows, 1);
    containerMemory.makeRoom(bytes);
    const models = await Promise.all(
      Object.entries(stored.models).map(async ([modelId, { fields, chunks }]) => {
        const before = previous?.stored.models[modelId]?.chunks;
        const isSame = JSON.stringify(before) === JSON.stringify(chunks);
        const rows = isSame ? previous?.models[modelId]?.rows : await loadRows(table, scope, chunks);
        return [modelId, { fields, rows: rows ?? new Map() }] as const;
      }),
    );
    return { value: { models: Object.fromEntries(models), stored }, bytes };
  },
  concerns: ({ kind, modelId = '' }, _, { models }) => kind === 'cmsEntry' && modelOf(models, modelId) !== undefined,
  readRow: async (table, scope, { modelId = '', id, createdAt = '' }, { models }) => {
    const entry = await new CmsEntries(table, scope).findAt(modelId, createdAt, id);
    const { fields } = modelOf(models, modelId) ?? { fields: [] };
    return { revision: entry?.revision ?? null, row: entry && relationRow(entry, fields) };
  },
});

async function loadRows(table: Table, scope: CollectionScope, chunks: Directory): Promise<Map<string, RelationRow>> {
  const partIds = chunks.map(([partId]) => partId);
  const parts = await loadParts<RelationRow[]>(table, scope, partIds);
  return new Map(parts.flatMap(({ content }) => content).map((row) => [row.id, row]));
}

/** The id of a database may be the name of an inherited property. */
export const modelOf = (models: RelationsOfModels, modelId: string): RelationsOfModel | undefined =>
  Object.hasOwn(models, modelId) ? models[modelId] : undefined;

/** Takes one small read if nothing has changed; otherwise it also reads the changed entries. @throws StaleRead */
export const readProductRelations = (table: Table, scope: WorkspaceScope): Promise<ProductRelations> =>
  relations.read(table, relationScope(scope));

/** The rows of every database, changes included, by entry id. */
export function currentRows({ base: { models }, changed }: ProductRelations): Map<string, Map<string, RelationRow>> {
  const rows = new Map(Object.entries(models).map(([modelId, { rows: own }]) => [modelId, new Map(own)]));
  for (const [address, row] of changed) {
    const [modelId = '', id = ''] = address.split(' ');
    if (row) rows.get(modelId)?.set(id, row);
    else rows.get(modelId)?.delete(id);
  }
  return rows;
}
