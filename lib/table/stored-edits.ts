import type { StoredEntry } from './cms/stored-entry.ts';
import { keys, type RecordKind } from './keys.ts';
import { messagingKeys } from './messaging/keys.ts';
import { type Item, type Key, recordOf, type Table } from './table.ts';

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
  if (kind === 'workspace') {
    const key = keys.workspace(workspaceId);
    const item = await table.get(key);
    if (item && isEdited(item)) yield { id: workspaceId, editedAt: item.editedAt, key };
    return;
  }
  if (kind !== 'cmsEntry') {
    const pk = keys.records(workspaceId, kind);
    for await (const item of editedItems(table, pk)) {
      yield { id: item.sk, editedAt: item.editedAt, key: keyOf(item, kind, workspaceId) };
    }
    return;
  }
  for (const modelId of modelIds) {
    for await (const { pk, sk, editedAt } of editedItems(table, keys.cmsEntries(workspaceId, modelId))) {
      yield { id: sk.slice(sk.indexOf('#') + 1), modelId, editedAt, key: { pk, sk } };
    }
  }
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

type EditedItem = Item & { readonly editedAt: string };

const isEdited = (item: Item): item is EditedItem => typeof item['editedAt'] === 'string';

async function* editedItems(table: Table, pk: string): AsyncGenerator<EditedItem> {
  const only = ['pk', 'sk', 'editedAt', 'conversationId', 'createdAt'];
  for await (const item of table.query({ pk, only })) if (isEdited(item)) yield item;
}

/** The key of an edited record. The item under a message's id is only a pointer to the message. */
function keyOf({ pk, sk, conversationId, createdAt }: Item, kind: EditedKind, workspaceId: string): Key {
  if (kind !== 'message') return { pk, sk };
  return messagingKeys.message(workspaceId, String(conversationId), String(createdAt), sk);
}
