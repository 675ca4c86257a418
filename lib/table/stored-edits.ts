import { idOf } from './cms/entry-row.ts';
import type { StoredEntry } from './cms/stored-entry.ts';
import { keys, type RecordKind } from './keys.ts';
import { messagingKeys } from './messaging/keys.ts';
import type { Range } from './range.ts';
import { type Key, recordOf, type Table } from './table.ts';

/** A record that was changed through the service since its last import. */
export interface StoredEdit {
  readonly id: string;
  /** The database of an entry; absent for other kinds. */
  readonly modelId?: string;
  readonly editedAt: string;
  readonly key: Key;
}

/** The kinds of records that have the mark of an edit. */
export type EditedKind = RecordKind | 'workspace' | 'cmsEntry';

/**
 * The records of a kind that were changed through the service since their last import. It reads every item of the kind,
 * but only a few attributes.
 * @param modelIds the databases whose entries are read
 */
export async function* storedEdits(
  table: Table,
  workspaceId: string,
  kind: EditedKind,
  modelIds: readonly string[],
): AsyncGenerator<StoredEdit> {
  const only = ['pk', 'sk', 'editedAt', 'conversationId', 'createdAt'];
  for (const { modelId, ...range } of rangesOf(workspaceId, kind, modelIds)) {
    for await (const { pk, sk, editedAt, conversationId, createdAt } of table.query({ ...range, only })) {
      if (typeof editedAt !== 'string') continue;
      // The item under a message's id is only a pointer to the message.
      const message = kind === 'message' ? ([String(conversationId), String(createdAt), sk] as const) : undefined;
      const key = message ? messagingKeys.message(workspaceId, ...message) : { pk, sk };
      if (modelId !== undefined) yield { id: idOf(sk), modelId, editedAt, key };
      else yield { id: kind === 'workspace' ? workspaceId : sk, editedAt, key };
    }
  }
}

function rangesOf(
  workspaceId: string,
  kind: EditedKind,
  modelIds: readonly string[],
): (Range & Pick<StoredEdit, 'modelId'>)[] {
  if (kind === 'cmsEntry') return modelIds.map((modelId) => ({ modelId, pk: keys.cmsEntries(workspaceId, modelId) }));
  if (kind !== 'workspace') return [{ pk: keys.records(workspaceId, kind) }];
  const { pk, sk } = keys.workspace(workspaceId);
  return [{ pk, from: sk, to: sk }];
}

/** The current record of an edit; undefined if it was removed. */
export async function editedRecord(
  table: Table,
  kind: EditedKind,
  { key }: StoredEdit,
): Promise<StoredEntry | object | undefined> {
  const item = await table.get(key);
  return kind === 'cmsEntry' ? (item as StoredEntry | undefined) : item && recordOf<object>(item);
}
