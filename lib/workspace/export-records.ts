import { exportedEntry } from '#lib/domain/cms/exported-entry.ts';
import { type DocumentKind, documentKinds, kindOf } from '#lib/kinds/kinds.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import { StaleRead } from '#lib/table/collection/head.ts';
import { StoredWorkspace } from '#lib/table/stored-workspace.ts';
import type { Table } from '#lib/table/table.ts';
import { requireWorkspace } from './command/connection.ts';
import { CommandFailure } from './command/terminal.ts';

export interface ExportedRecord {
  readonly kind: DocumentKind;
  readonly record: object;
}

/**
 * All records of a workspace, kind by kind in document order.
 * @throws CommandFailure when the workspace does not exist, or an import changes it during the export
 */
export async function* exportRecords(table: Table, workspaceId: string): AsyncGenerator<ExportedRecord> {
  const workspace = await requireWorkspace(table, workspaceId);
  const stored = new StoredWorkspace(table, workspaceId);
  yield { kind: 'workspace', record: workspace };
  try {
    for (const kind of documentKinds) {
      if (kind === 'workspace') continue;
      for await (const record of recordsOf(stored, kind, workspace.languages)) yield { kind, record };
    }
  } catch (error) {
    if (!(error instanceof StaleRead)) throw error;
    throw new CommandFailure(`An import has changed ${workspaceId} during the export; export it again.`);
  }
}

async function* recordsOf(
  stored: StoredWorkspace,
  kind: Exclude<DocumentKind, 'workspace'>,
  languages: readonly string[],
): AsyncGenerator<object> {
  switch (kind) {
    case 'apiKey':
      // A key of a removed member is invalid for good, and an import would reject it.
      for (const key of await stored.apiKeys()) {
        if (key.memberId === null || (await stored.has('member', key.memberId))) yield exportedKey(key);
      }
      return;
    case 'cmsModel':
      for await (const model of stored.models()) yield inLanguages(kindOf(kind), model, languages);
      return;
    case 'cmsEntry':
      for await (const model of stored.models()) {
        for await (const entry of stored.entries(model.id)) yield exportedEntry(entry, model, languages);
      }
      return;
    default:
      for await (const record of stored.records(kind)) yield inLanguages(kindOf(kind), record, languages);
  }
}

/** Exports the hash of the secret, because the secret itself is not stored. */
export const exportedKey = ({ retired, ...key }: ApiKeyRecord): object => key;
