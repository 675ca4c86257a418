import type { Model } from '#lib/domain/cms-model.ts';
import type { Kind } from './document-kinds.ts';

/** Kinds whose records have a name that no two of them share: their slug, their file, or what `channelName` says. */
export type NamedKind = 'menuCategory' | 'menuProduct' | 'form' | 'channel' | 'attachment';

/** What is asked of a product that is stored. */
export interface StoredProduct {
  readonly id: string;
  readonly categoryId: string;
}

/** What the check of a document asks of the workspace as it is stored: a document need not hold all of it. */
export interface StoredLookup {
  /** Whether there is a record of a kind other than cmsEntry. */
  has(kind: Exclude<Kind, 'cmsEntry'>, id: string): Promise<boolean>;
  hasEntry(modelId: string, id: string): Promise<boolean>;
  model(id: string): Promise<Model | undefined>;
  models(): AsyncIterable<Model>;
  products(): Promise<readonly StoredProduct[]>;
  idOfName(kind: NamedKind, name: string): Promise<string | undefined>;
  /** Whose a secret is, in any workspace. */
  ownerOfSecret(secretHash: string): Promise<{ readonly workspaceId: string; readonly keyId: string } | undefined>;
}

/** A workspace that is not stored yet. */
export const nothingStored: StoredLookup = {
  has: async () => false,
  hasEntry: async () => false,
  model: async () => undefined,
  async *models() {},
  products: async () => [],
  idOfName: async () => undefined,
  ownerOfSecret: async () => undefined,
};
