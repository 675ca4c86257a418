import type { Model } from '#lib/domain/cms-model.ts';
import { isRecordId } from '#lib/domain/identifier.ts';
import { isStorableName } from '#lib/domain/stored-size.ts';
import type { DocumentIndex } from './document-index.ts';
import type { Kind } from './document-kinds.ts';
import { type NamedKind, nothingStored, type StoredLookup, type StoredProduct } from './stored-lookup.ts';

/** A document may have very many relations without a target; each search asks for every stored database. */
const searchesMax = 100;

/**
 * The records there will be once a document is imported: its own, and stored ones that it leaves alone. Pruning leaves
 * none of a kind that the document has records of (lib/spec/workspace-document.md section 2). Whatever a document has
 * in the place of an id or a name may be asked for: nothing is stored under what cannot be one, and the table would
 * refuse to look.
 */
export class KnownRecords {
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

  async has(kind: Exclude<Kind, 'cmsEntry'>, id: string): Promise<boolean> {
    return this.index.has(kind, id) || (isRecordId(id) && this.#left(kind).has(kind, id));
  }

  async hasEntry(modelId: string, id: string): Promise<boolean> {
    return this.index.hasEntry(modelId, id) || (isRecordId(id) && this.#left('cmsEntry').hasEntry(modelId, id));
  }

  /** Whose id this is, when it is not that of the record that was looked for; for a warning, so it costs little. */
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
    if (own || this.index.malformedModels.has(id) || !isRecordId(id)) return own;
    const stored = this.#models.get(id) ?? this.#left('cmsModel').model(id);
    this.#models.set(id, stored);
    return stored;
  }

  /** Those that are malformed are not among them. */
  async *models(): AsyncGenerator<Model> {
    yield* this.index.models.values();
    for await (const model of this.#left('cmsModel').models()) {
      if (!this.index.has('cmsModel', model.id)) yield model;
    }
  }

  /** Stored products that stay as they are. */
  async productsLeft(): Promise<StoredProduct[]> {
    const stored = await this.#left('menuProduct').products();
    return stored.filter(({ id }) => !this.index.has('menuProduct', id));
  }

  /** Whether a stored record that stays as it is has a name already. */
  async isNameTaken(kind: NamedKind, name: string, id: string): Promise<boolean> {
    if (!isStorableName(name)) return false;
    const owner = await this.#left(kind).idOfName(kind, name);
    return owner !== undefined && owner !== id && !this.index.has(kind, owner);
  }

  /** Whether a secret is that of another key, here or in another workspace. */
  async isSecretTaken(secretHash: string, id: string): Promise<boolean> {
    if (!isStorableName(secretHash)) return false;
    const owner = await this.#stored.ownerOfSecret(secretHash);
    return owner !== undefined && (owner.workspaceId !== this.index.workspaceId || owner.keyId !== id);
  }

  /** Whether stored records of a kind that the document does not name are to be removed. */
  isPruned = (kind: Kind): boolean => this.#prune && this.index.counts.has(kind);

  #left = (kind: Kind): StoredLookup => (this.isPruned(kind) ? nothingStored : this.#stored);
}
