import type { Model } from '#lib/domain/cms-model.ts';
import type { DocumentIndex } from './document-index.ts';
import type { Kind } from './document-kinds.ts';
import { type NamedKind, nothingStored, type StoredLookup } from './stored-lookup.ts';

/**
 * The records there will be once a document is imported: its own, and stored ones that it leaves alone. Pruning leaves
 * none of a kind that the document has records of (workspace-document.md).
 */
export class KnownRecords {
  readonly index: DocumentIndex;
  readonly #stored: StoredLookup;
  readonly #prune: boolean;
  readonly #models = new Map<string, Promise<Model | undefined>>();

  constructor(index: DocumentIndex, stored: StoredLookup, prune: boolean) {
    this.index = index;
    this.#stored = stored;
    this.#prune = prune;
  }

  async has(kind: Exclude<Kind, 'cmsEntry'>, id: string): Promise<boolean> {
    return this.index.has(kind, id) || this.#left(kind).has(kind, id);
  }

  async hasEntry(modelId: string, id: string): Promise<boolean> {
    return this.index.hasEntry(modelId, id) || this.#left('cmsEntry').hasEntry(modelId, id);
  }

  async model(id: string): Promise<Model | undefined> {
    const own = this.index.models.get(id);
    if (own || this.index.malformedModels.has(id)) return own;
    const stored = this.#models.get(id) ?? this.#left('cmsModel').model(id);
    this.#models.set(id, stored);
    return stored;
  }

  /** Whether a stored record that stays as it is has a name already. */
  async isNameTaken(kind: NamedKind, name: string, id: string): Promise<boolean> {
    const owner = await this.#left(kind).idOfName(kind, name);
    return owner !== undefined && owner !== id && !this.index.has(kind, owner);
  }

  /** Whether a secret is that of another key, here or in another workspace. */
  async isSecretTaken(secretHash: string, id: string): Promise<boolean> {
    const owner = await this.#stored.ownerOfSecret(secretHash);
    return owner !== undefined && (owner.workspaceId !== this.index.workspaceId || owner.keyId !== id);
  }

  #left = (kind: Kind): StoredLookup => (this.#prune && this.index.counts.has(kind) ? nothingStored : this.#stored);
}
