import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { JsonObject } from '#lib/domain/input.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import type { Kind, UniqueKind } from '#lib/kinds/kinds.ts';
import type { RecordLookup } from '#lib/records/record-lookup.ts';
import type { RecordKind } from '#lib/table/keys.ts';
import type { StoredWorkspace } from '#lib/table/stored-workspace.ts';
import type { DocumentIndex } from './document-index.ts';

/** Bounds the searches for missing relation targets, because each one reads every stored database. */
const searchesMax = 100;

/**
 * Looks up the records that will exist after the import: records of the document and unchanged stored records. Pruning
 * removes stored records of every kind in the document (lib/spec/workspace-document.md section 2).
 */
export class DocumentLookup implements RecordLookup {
  readonly index: DocumentIndex;
  readonly #stored: StoredLookup;
  readonly #prune: boolean;
  #searches = 0;
  readonly #models = new Map<string, Promise<Model | undefined>>();

  constructor(index: DocumentIndex, stored: StoredLookup, prune: boolean) {
    this.index = index;
    this.#stored = stored;
    this.#prune = prune;
  }

  get workspaceId(): string | undefined {
    return this.index.workspaceId;
  }

  get languages(): readonly string[] | undefined {
    return this.index.languages;
  }

  storedLanguages = (): Promise<readonly string[]> => this.#stored.storedLanguages();

  storedCreatedAt = (kind: Kind, record: JsonObject): Promise<string | undefined> =>
    this.#stored.storedCreatedAt(kind, record);

  get isExport(): boolean {
    return this.index.exportedAt !== undefined;
  }

  /** A reference to a record that this import itself removes stays a failure. */
  async mayBeRemovedSince(kind: Exclude<Kind, 'cmsEntry'>, id: string): Promise<boolean> {
    return this.isExport && !(await this.isRemoved(kind, id));
  }

  /** Whether the import removes a stored record because it is missing from the document. */
  isRemoved = async (kind: Exclude<Kind, 'cmsEntry'>, id: string): Promise<boolean> =>
    this.isPruned(kind) && !this.index.has(kind, id) && (await this.#stored.has(kind, id));

  isMalformed = (modelId: string): boolean => this.index.malformedModels.has(modelId);

  async has(kind: Exclude<Kind, 'cmsEntry'>, id: string): Promise<boolean> {
    return this.index.has(kind, id) || this.#remaining(kind).has(kind, id);
  }

  async hasEntry(modelId: string, id: string): Promise<boolean> {
    return this.index.hasEntry(modelId, id) || this.#remaining('cmsEntry').hasEntry(modelId, id);
  }

  /** The owner of an id that is not of the expected kind. Used in warnings, so its cost is bounded. */
  async ownerOf(id: string): Promise<string | undefined> {
    const owner = this.index.ownerOf(id);
    if (owner !== undefined || !isRecordId(id) || this.#searches >= searchesMax) return owner;
    this.#searches++;
    if (await this.has('menuProduct', id)) return 'menu:product';
    if (await this.has('menuCategory', id)) return 'menuCategory';
    for await (const model of this.models()) if (await this.hasEntry(model.id, id)) return `cms:${model.id}`;
    return undefined;
  }

  async model(id: string): Promise<Model | undefined> {
    const own = this.index.models.get(id);
    if (own || this.index.malformedModels.has(id)) return own;
    const stored = this.#models.get(id) ?? this.#remaining('cmsModel').model(id);
    this.#models.set(id, stored);
    return stored;
  }

  /** All databases except malformed ones. */
  async *models(): AsyncGenerator<Model> {
    yield* this.index.models.values();
    for await (const model of this.#remaining('cmsModel').models()) {
      if (!this.index.has('cmsModel', model.id)) yield model;
    }
  }

  /** Stored records that are missing from the document and stay after the import. */
  async *remaining(kind: RecordKind): AsyncGenerator<StoredRecord> {
    for await (const record of this.#remaining(kind).records(kind) as AsyncGenerator<StoredRecord>) {
      if (!this.index.has(kind, record.id)) yield record;
    }
  }

  async isSubConversation(id: string): Promise<boolean> {
    if (this.index.has('conversation', id)) return this.index.subConversations.has(id);
    const stored = await this.#remaining('conversation').conversation(id);
    return stored !== undefined && stored.kind !== 'main';
  }

  /** Whether an unchanged stored record already uses a unique key. */
  async isNameTaken(kind: UniqueKind, name: string, id: string): Promise<boolean> {
    const owner = await this.#remaining(kind).idOfName(kind, name, id);
    return owner !== undefined && owner !== id && !this.index.has(kind, owner);
  }

  /** Whether another key, in any workspace, has the same secret. */
  async isSecretTaken(secretHash: string, id: string): Promise<boolean> {
    const owner = await this.#stored.ownerOfSecret(secretHash);
    return owner !== undefined && (owner.workspaceId !== this.index.workspaceId || owner.keyId !== id);
  }

  /** The ids of the stored records of a kind that the import removes. */
  async *removedIds(kind: RecordKind): AsyncGenerator<string> {
    if (!this.isPruned(kind)) return;
    for await (const id of this.#stored.ids(kind)) if (!this.index.has(kind, id)) yield id;
  }

  /** The same of entries. */
  async *removedEntryIds(): AsyncGenerator<string> {
    if (!this.isPruned('cmsEntry') && !this.isPruned('cmsModel')) return;
    for await (const modelId of this.#stored.ids('cmsModel')) {
      if (!this.isUnnamedRemoved('cmsEntry', modelId)) continue;
      for await (const id of this.#stored.entryIds(modelId)) if (!this.index.hasEntry(modelId, id)) yield id;
    }
  }

  /** Whether the import removes a stored record that the document does not name. A removed database loses its entries. */
  isUnnamedRemoved = (kind: Kind, modelId = ''): boolean =>
    this.isPruned(kind) || (kind === 'cmsEntry' && this.isPruned('cmsModel') && !this.index.has('cmsModel', modelId));

  /** Whether the import removes stored records of a kind that are missing from the document. */
  isPruned = (kind: Kind): boolean => this.#prune && this.index.counts.has(kind);

  #remaining = (kind: Kind): StoredLookup => (this.isPruned(kind) ? nothingStored : this.#stored);
}

/** Look-ups in the stored workspace. The check needs them because a document may be partial. */
export type StoredLookup = Omit<StoredWorkspace, 'workspaceId' | 'entries' | 'apiKeys'>;

type StoredRecord = JsonObject & { readonly id: string };

/** A workspace that is not stored yet. */
export const nothingStored: StoredLookup = {
  storedLanguages: async () => [],
  storedCreatedAt: async () => undefined,
  has: async () => false,
  hasEntry: async () => false,
  model: async () => undefined,
  async *models() {},
  async *ids() {},
  async *entryIds() {},
  async *records() {},
  conversation: async () => undefined,
  idOfName: async () => undefined,
  ownerOfSecret: async () => undefined,
};
