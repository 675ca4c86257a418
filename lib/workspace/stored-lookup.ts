import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import type { Kind } from '#lib/kinds/kinds.ts';
import type { NamedKind } from '#lib/records/record-lookup.ts';

/** A stored product with its category. */
export interface StoredProduct {
  readonly id: string;
  readonly categoryId: string;
}

/** A stored conversation with its channel and its customer. */
export type StoredConversation = Pick<Conversation, 'id' | 'kind' | 'channelId' | 'customerId'>;

/** Look-ups in the stored workspace. The check needs them because a document may be partial. */
export interface StoredLookup {
  /** Whether a record of this kind exists. */
  has(kind: Exclude<Kind, 'cmsEntry'>, id: string): Promise<boolean>;
  hasEntry(modelId: string, id: string): Promise<boolean>;
  model(id: string): Promise<Model | undefined>;
  models(): AsyncIterable<Model>;
  /** The ids of all records of a kind. */
  ids(kind: Exclude<Kind, 'workspace' | 'cmsEntry'>): AsyncIterable<string>;
  entryIds(modelId: string): AsyncIterable<string>;
  products(): Promise<readonly StoredProduct[]>;
  conversations(): AsyncIterable<StoredConversation>;
  conversation(id: string): Promise<Pick<StoredConversation, 'kind'> | undefined>;
  idOfName(kind: NamedKind, name: string): Promise<string | undefined>;
  /** The key with this secret, in any workspace. */
  ownerOfSecret(secretHash: string): Promise<{ readonly workspaceId: string; readonly keyId: string } | undefined>;
}

/** A workspace that is not stored yet. */
export const nothingStored: StoredLookup = {
  has: async () => false,
  hasEntry: async () => false,
  model: async () => undefined,
  async *models() {},
  async *ids() {},
  async *entryIds() {},
  products: async () => [],
  async *conversations() {},
  conversation: async () => undefined,
  idOfName: async () => undefined,
  ownerOfSecret: async () => undefined,
};
