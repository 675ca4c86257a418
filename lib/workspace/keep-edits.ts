import { exportedEntry } from '#lib/domain/cms/exported-entry.ts';
import { isObject, textOf } from '#lib/domain/input.ts';
import { kindOf } from '#lib/kinds/kinds.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import { withId } from '#lib/records/parse-record.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import type { ConcurrentEdits } from '#lib/table/import/ruled-writer.ts';
import { editedRecord } from '#lib/table/stored-edits.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import type { DocumentItem, DocumentSource, Finding } from './document-item.ts';
import type { DocumentLookup } from './document-lookup.ts';
import { addressOf, type Edit, isUndone } from './edits.ts';
import { exportedKey } from './export-records.ts';
import { atStored } from './orphaned-records.ts';

interface EditsToKeep {
  readonly table: Table;
  readonly edits: readonly Edit[];
  readonly lookup: DocumentLookup;
}

/**
 * A document with the stored version of every edited record, so that its import keeps the edits. The caller must check it
 * again, because a stored version may conflict with the rest, for example by its slug.
 */
export const keepEdits = (read: DocumentSource, options: EditsToKeep): DocumentSource =>
  async function* () {
    const byAddress = new Map(options.edits.map((edit) => [addressOf(edit.kind, edit), edit]));
    let position = 0;
    for await (const item of read()) {
      const edit = 'failure' in item ? undefined : byAddress.get(addressOfItem(item));
      if (!('failure' in item)) position = item.position + 1;
      yield 'failure' in item || !edit ? item : { ...item, record: (await storedRecord(options, edit)) ?? item.record };
    }
    for (const edit of options.edits.filter(({ isMissing }) => isMissing)) {
      const record = await storedRecord(options, edit);
      if (record) yield { kind: edit.kind, record, location: 'stored', position: position++ };
    }
  };

function addressOfItem({ kind, record }: Exclude<DocumentItem, { failure: unknown }>): string {
  const { id, modelId } = isObject(record) ? withId(kind, record) : {};
  return addressOf(kind, { id: textOf(id), modelId: textOf(modelId) });
}

/** An edited record in the form of a document. */
async function storedRecord({ table, lookup }: EditsToKeep, edit: Edit): Promise<object | undefined> {
  const stored = await editedRecord(table.uncached(), edit.kind, edit);
  if (!stored) return undefined;
  if (edit.kind === 'apiKey') return exportedKey(stored as ApiKeyRecord);
  const model = edit.kind === 'cmsEntry' ? await lookup.model(edit.modelId ?? '') : undefined;
  // The import removes the database. The check reports that, so the values do not matter.
  if (edit.kind === 'cmsEntry' && !model) return { id: edit.id, modelId: edit.modelId };
  const languages = (await findWorkspace(table.uncached(), textOf(lookup.index.workspaceId)))?.languages ?? [];
  return model
    ? exportedEntry(stored as StoredEntry, model, languages)
    : inLanguages(kindOf(edit.kind), stored as object, languages);
}

interface ConcurrentEditOptions {
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

  /** Warnings about records that `--prune` was to remove. */
  readonly stayed: Finding[] = [];

  stayInUse: ConcurrentEdits['stayInUse'] = (kind, ids) => {
    const message = 'Stays, although the document lacks it: another record began to refer to it while the import ran.';
    for (const id of ids) this.stayed.push({ kind, id, path: '', code: 'in_use', message, ...atStored });
  };

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
