import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { RelationRow } from '#lib/domain/cms/product-relation.ts';
import type { CollectionScope, Directory } from '../collection/head.ts';
import { relationCollection } from '../keys.ts';

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

/** The directory of a collection that was never written. */
export const noRelations: StoredRelations = { models: {}, former: [] };

export const relationScope = ({ workspaceId }: WorkspaceScope): CollectionScope => ({
  workspaceId,
  collection: relationCollection,
});
