import type { Model } from '#lib/domain/cms/cms-model.ts';
import { exportedEntry } from '#lib/domain/cms/exported-entry.ts';
import { Failure } from '#lib/domain/failure.ts';
import { type DocumentKind, documentKinds, kindOf } from '#lib/kinds/kinds.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import { StaleRead } from '#lib/table/collection/head.ts';
import type { RecordKind } from '#lib/table/keys.ts';
import { isTransferable, type Named, namesOf } from '#lib/table/record-names.ts';
import { StoredWorkspace } from '#lib/table/stored-workspace.ts';
import type { Table } from '#lib/table/table.ts';
import { requireWorkspace } from './command/connection.ts';

export interface ExportedRecord {
  readonly kind: DocumentKind;
  readonly record: object;
}

/** Clocks differ by less, in milliseconds. */
const clockMilliseconds = 30_000;

/**
 * All records of a workspace, kind by kind in document order. The service may change records meanwhile; those that a
 * document could not hold with the ones before them are left out if they are new.
 * @throws Failure when the workspace does not exist, when an import changes it during the export, or when a
 * record that is not new does not fit any more
 */
export async function* exportRecords(table: Table, workspaceId: string): AsyncGenerator<ExportedRecord> {
  const workspace = await requireWorkspace(table, workspaceId);
  const stored = new StoredWorkspace(table, workspaceId);
  const written = new Written(workspaceId);
  yield { kind: 'workspace', record: workspace };
  try {
    for (const kind of documentKinds) {
      if (kind === 'workspace') continue;
      for await (const record of recordsOf(stored, kind, workspace.languages, written)) yield { kind, record };
    }
  } catch (error) {
    if (!(error instanceof StaleRead)) throw error;
    throw new Failure(`An import has changed ${workspaceId} during the export; export it again.`);
  }
}

async function* recordsOf(
  stored: StoredWorkspace,
  kind: Exclude<DocumentKind, 'workspace'>,
  languages: readonly string[],
  written: Written,
): AsyncGenerator<object> {
  switch (kind) {
    case 'apiKey':
      // A key of a removed member is invalid for good, and an import would reject it.
      for (const key of await stored.apiKeys()) {
        if (key.memberId === null || written.has('member', key.memberId)) yield exportedKey(key);
      }
      return;
    case 'cmsModel':
      for await (const model of stored.models()) {
        written.models.push(model);
        yield inLanguages(kindOf(kind), model, languages);
      }
      return;
    case 'cmsEntry':
      // Other databases and fields are newer than the document's.
      for (const model of written.models) {
        for await (const entry of stored.entries(model.id)) yield exportedEntry(entry, model, languages);
      }
      return;
    default:
      for await (const record of stored.records(kind)) {
        if (written.take(kind, record as Named)) yield inLanguages(kindOf(kind), record, languages);
      }
  }
}

/** What a document has so far. */
class Written {
  readonly models: Model[] = [];
  readonly #ids = new Set<string>();
  readonly #names = new Set<string>();
  readonly #newSince = Date.now() - clockMilliseconds;
  readonly #workspaceId: string;

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
  }

  has = (kind: RecordKind, id: string): boolean => this.#ids.has(`${kind} ${id}`);

  /**
   * A category may be made, or a slug pass to another record, after the ones before were written.
   * @returns false for a new record that does not fit to the document @throws Failure
   */
  take(kind: RecordKind, record: Named & { readonly categoryId?: string }): boolean {
    const { id, categoryId, createdAt = '' } = record;
    const names = isTransferable(kind) ? namesOf(kind, record).map((name) => `${kind} ${name}`) : [];
    const hasCategory = categoryId === undefined || this.has('menuCategory', categoryId);
    if (hasCategory && !names.some((name) => this.#names.has(name))) {
      for (const name of names) this.#names.add(name);
      if (kind === 'member' || kind === 'menuCategory') this.#ids.add(`${kind} ${id}`);
      return true;
    }
    if (Date.parse(createdAt) >= this.#newSince) return false;
    throw new Failure(`Records of ${this.#workspaceId} have changed during the export; export it again.`);
  }
}

/** Exports the hash of the secret, because the secret itself is not stored. */
export const exportedKey = ({ retired, ...key }: ApiKeyRecord): object => key;
