import { createHash } from 'node:crypto';
import { exportedEntry } from '#lib/domain/cms/exported-entry.ts';
import { isObject, type JsonObject, textOf } from '#lib/domain/input.ts';
import { canonicalJson } from '#lib/domain/text/json-hash.ts';
import { type Kind, kindOf, type ParsedRecord } from '#lib/kinds/kinds.ts';
import { secretHashOf } from '#lib/records/document-checks.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import { nestingLevelsMax, withId } from '#lib/records/parse-record.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import type { ConcurrentEdits } from '#lib/table/import/ruled-writer.ts';
import { editedRecord, type StoredEdit, storedEdits } from '#lib/table/stored-edits.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import type { DocumentItem, DocumentSource, Finding } from './document-item.ts';
import type { DocumentLookup } from './document-lookup.ts';
import { exportedKey } from './export-records.ts';
import { atStored } from './orphaned-records.ts';
import { parsedRecords, type Validation } from './validate-document.ts';

/** A stored record that was edited through the service, and that an import would revert or remove. */
export interface Edit extends StoredEdit {
  readonly kind: Kind;
  /** The document does not contain it, so the import would remove it. */
  readonly isMissing: boolean;
}

interface Candidate extends Edit {
  readonly stored: Comparable;
}

/** The compared parts of a record version. */
export interface Comparable {
  readonly content: string;
  /** Members that the import takes from the stored record if the document omits them. */
  readonly kept: Readonly<Record<string, unknown>>;
}

/**
 * The edits that importing a checked document would undo (lib/spec/additions.md section 8). It compares the
 * records that were edited through the service after the export. An edit is undone if the document has other content or,
 * with `prune`, lacks the record. Removing a database also removes its entries.
 */
export async function findEdits(table: Table, read: DocumentSource, validation: Validation): Promise<Edit[]> {
  const { lookup, counts, workspaceId = '' } = validation;
  const candidates = new Map<string, Candidate>();
  const modelIds = await Array.fromAsync(lookup.models(), ({ id }) => id);
  const removedModelIds = await Array.fromAsync(lookup.removedIds('cmsModel'));
  for (const kind of new Set([...(Object.keys(counts) as Kind[]), 'cmsEntry' as const])) {
    const searched = counts[kind] === undefined ? removedModelIds : [...modelIds, ...removedModelIds];
    for await (const edit of storedEdits(table, workspaceId, kind, searched)) {
      if (lookup.index.exportedAt !== undefined && edit.editedAt <= lookup.index.exportedAt) continue;
      const stored = await editedRecord(table.uncached(), kind, edit);
      if (!stored) continue;
      candidates.set(addressOf(kind, edit), { ...edit, kind, isMissing: true, stored: comparable(kind, stored) });
    }
  }
  const edits: Edit[] = [];
  if (candidates.size > 0) {
    for await (const { kind, record } of parsedRecords(read, validation)) {
      const address = addressOf(kind, record);
      const candidate = candidates.get(address);
      candidates.delete(address);
      if (candidate && isDifferent(candidate.stored, comparable(kind, record))) {
        edits.push({ ...candidate, isMissing: false });
      }
    }
  }
  const missing = [...candidates.values()];
  return [...edits, ...missing.filter(({ kind, modelId }) => lookup.isUnnamedRemoved(kind, modelId))];
}

export const addressOf = (kind: Kind, { id, modelId }: { readonly id: string; readonly modelId?: string }): string =>
  kind === 'cmsEntry' ? `${kind} ${modelId} ${id}` : `${kind} ${id}`;

/** Whether the document's record would change the stored one. */
const isUndone = (kind: Kind, stored: object, imported: object): boolean =>
  isDifferent(comparable(kind, stored), comparable(kind, imported));

export const isDifferent = (stored: Comparable, imported: Comparable): boolean =>
  stored.content !== imported.content ||
  Object.entries(imported.kept).some(([name, value]) => value !== undefined && value !== stored.kept[name]);

export function comparable(kind: Kind, record: StoredRecord): Comparable {
  const { createdAt, updatedAt, secret, secretHash, assignee, ...members } = record as JsonObject;
  const content = kind === 'cmsEntry' ? entryContent(members) : members;
  const { retired, ...shown } = kind === 'apiKey' ? content : { ...content, retired: undefined };
  const text = canonicalJson(withoutBlanks(shown, nestingLevelsMax), nestingLevelsMax);
  return {
    content: createHash('sha256').update(text).digest('base64'),
    kept: {
      createdAt,
      updatedAt,
      secretHash: secretHashOf({ secret, secretHash }),
      assignee: assignee === undefined ? undefined : canonicalJson(assignee, nestingLevelsMax),
    },
  };
}

type StoredRecord = ParsedRecord['record'] | object;

/** Omits members that only stored entries have, such as the revision. */
const entryContent = ({ id, modelId, published, publishAt, unpublishAt, values }: JsonObject): JsonObject => ({
  id: textOf(id),
  modelId: textOf(modelId),
  published,
  publishAt,
  unpublishAt,
  values,
});

/** Absent, null and empty are equivalent in a record (lib/spec/workspace-document.md section 1). */
function withoutBlanks(value: unknown, levels: number): unknown {
  if (levels === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutBlanks(item, levels - 1));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutBlanks(member, levels - 1)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isBlank(member)));
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

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
    for await (const item of read()) {
      const edit = 'failure' in item ? undefined : byAddress.get(addressOfItem(item));
      yield 'failure' in item || !edit ? item : { ...item, record: (await storedRecord(options, edit)) ?? item.record };
    }
    for (const edit of options.edits.filter(({ isMissing }) => isMissing)) {
      const record = await storedRecord(options, edit);
      if (record) yield { kind: edit.kind, record, ...atStored };
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
