import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { type RelationRow, relationRow } from '#lib/domain/cms/product-relation.ts';
import { findEntryAt } from '../cms/find-entry.ts';
import { Collection, type CollectionState } from '../collection/collection.ts';
import type { CollectionHead, CollectionScope } from '../collection/head.ts';
import { type Directory, loadPart, loadParts } from '../collection/parts.ts';
import { relationCollection } from '../keys.ts';
import type { Table } from '../table.ts';

/** The relation head (X1). */
export interface RelationHead extends CollectionHead {
  /** The version of the CMS schema that the base was written for. */
  readonly schemaVersion?: string;
}

/** Per database: its fields that relate to products, and by entry id the rows of entries with such relations. */
export type RelationsOfModels = Readonly<Record<string, RelationsOfModel>>;

export interface RelationsOfModel {
  readonly fields: readonly string[];
  readonly rows: ReadonlyMap<string, RelationRow>;
}

export interface StoredRelations {
  readonly models: Readonly<Record<string, { readonly fields: readonly string[]; readonly chunks: Directory }>>;
  readonly former: readonly string[];
}

export interface RelationBase {
  readonly models: RelationsOfModels;
  readonly stored: StoredRelations;
}

/** The relations from CMS entries to products. Changed rows are by `modelId id`. */
export type ProductRelations = CollectionState<RelationBase, RelationRow>;

/** The approximate size of a row in memory, derived data included. */
const rowBytes = 850;

/** The directory of a collection that was never written. */
export const noRelations: StoredRelations = { models: {}, former: [] };

export const relationScope = ({ workspaceId }: WorkspaceScope): CollectionScope => ({
  workspaceId,
  collection: relationCollection,
});

/** The address of an entry among the entries of all databases. */
export const relationAddress = (modelId: string, id: string): string => `${modelId} ${id}`;

const relations = new Collection<RelationBase, RelationRow>({
  rowBytes,
  addressOf: ({ modelId = '', id }) => relationAddress(modelId, id),
  loadBase: async ({ table, scope, head, previous, makeRoom }) => {
    const stored =
      head.directory === undefined
        ? noRelations
        : (await loadPart<StoredRelations>(table, scope, head.directory)).content;
    const count = Object.values(stored.models).flatMap(({ chunks }) => chunks.map(([, rows]) => rows));
    const bytes = rowBytes * count.reduce((sum, rows) => sum + rows, 1);
    makeRoom(bytes);
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
  readRow: async (table, { workspaceId }, { modelId = '', id, createdAt = '' }, { models }) => {
    const entry = await findEntryAt(table, workspaceId, modelId, createdAt, id);
    const { fields } = modelOf(models, modelId) ?? { fields: [] };
    return { revision: entry?.revision ?? null, row: entry && relationRow(entry, fields) };
  },
});

async function loadRows(table: Table, scope: CollectionScope, chunks: Directory): Promise<Map<string, RelationRow>> {
  const partIds = chunks.map(([partId]) => partId);
  const parts = await loadParts(table, scope, partIds, (rows: RelationRow[]) => rows);
  return new Map(parts.flat().map((row) => [row.id, row]));
}

/** The id of a database may be the name of an inherited property. */
export const modelOf = (models: RelationsOfModels, modelId: string): RelationsOfModel | undefined =>
  Object.hasOwn(models, modelId) ? models[modelId] : undefined;

/** Takes one small read if nothing has changed; otherwise it also reads the changed entries. @throws StaleRead */
export const readProductRelations = (table: Table, scope: WorkspaceScope): Promise<ProductRelations> =>
  relations.read(table, relationScope(scope));

/** The version of the CMS schema that the rows were made for. */
export const relationsSchemaVersion = ({ head }: ProductRelations): string =>
  (head as RelationHead).schemaVersion ?? '';
