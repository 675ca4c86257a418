import type { LateEdits } from '#lib/table/import/late-edits.ts';
import { addressOf, type Edit, isUndone } from './edits.ts';

export interface LateEditsOptions {
  /** The edits that the import knows. */
  readonly edits: readonly Edit[];
  readonly exportedAt: string | undefined;
  readonly decision: 'undo' | 'keep';
}

/** Collects the edits that were made after `findEdits`, and keeps them if the import is to. */
export class LateEditsOfImport implements LateEdits {
  readonly #known: ReadonlyMap<string, string>;
  readonly #options: LateEditsOptions;
  readonly #found = new Map<string, Edit>();

  constructor(options: LateEditsOptions) {
    this.#options = options;
    this.#known = new Map(options.edits.map((edit) => [addressOf(edit.kind, edit), edit.editedAt]));
  }

  get found(): Edit[] {
    return [...this.#found.values()];
  }

  /** The known edits that were not edited again. */
  get others(): Edit[] {
    return this.#options.edits.filter((edit) => !this.#found.has(addressOf(edit.kind, edit)));
  }

  keeps: LateEdits['keeps'] = (kind, { pk, sk, editedAt }, stored, given) => {
    const { exportedAt = '', decision } = this.#options;
    if (typeof editedAt !== 'string' || editedAt <= exportedAt) return false;
    const address = addressOf(kind, stored);
    if (this.#known.get(address) === editedAt || (given && !isUndone(kind, stored, given))) return false;
    const { id, modelId } = stored;
    const edit = { kind, id, editedAt, key: { pk, sk }, isMissing: given === undefined };
    this.#found.set(address, kind === 'cmsEntry' && modelId !== undefined ? { ...edit, modelId } : edit);
    return decision === 'keep';
  };
}
