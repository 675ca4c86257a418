import type { ConcurrentEdits } from '#lib/table/import/writer-options.ts';
import { addressOf, type Edit, isUndone } from './edits.ts';

export interface ConcurrentEditOptions {
  /** The edits that were found before the import. */
  readonly edits: readonly Edit[];
  readonly exportedAt: string | undefined;
  readonly decision: 'undo' | 'keep';
}

/** Collects the edits that were made after `findEdits`. They stay if the decision is to keep edits. */
export class ConcurrentEditCollector implements ConcurrentEdits {
  readonly #editedAtByAddress: ReadonlyMap<string, string>;
  readonly #options: ConcurrentEditOptions;
  readonly #found = new Map<string, Edit>();

  constructor(options: ConcurrentEditOptions) {
    this.#options = options;
    this.#editedAtByAddress = new Map(options.edits.map((edit) => [addressOf(edit.kind, edit), edit.editedAt]));
  }

  get found(): Edit[] {
    return [...this.#found.values()];
  }

  /** The edits that were found before the import and did not change during it. */
  get others(): Edit[] {
    return this.#options.edits.filter((edit) => !this.#found.has(addressOf(edit.kind, edit)));
  }

  keeps: ConcurrentEdits['keeps'] = (kind, { pk, sk, editedAt }, stored, imported) => {
    const { exportedAt = '', decision } = this.#options;
    if (typeof editedAt !== 'string' || editedAt <= exportedAt) return false;
    const address = addressOf(kind, stored);
    if (this.#editedAtByAddress.get(address) === editedAt || (imported && !isUndone(kind, stored, imported)))
      return false;
    const { id, modelId } = stored;
    const edit = { kind, id, editedAt, key: { pk, sk }, isMissing: imported === undefined };
    this.#found.set(address, kind === 'cmsEntry' && modelId !== undefined ? { ...edit, modelId } : edit);
    return decision === 'keep';
  };
}
