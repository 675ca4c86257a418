import type { StoredEntry } from './cms/stored-entry.ts';
import { keys, type RecordKind } from './keys.ts';
import { recordOf } from './record-of.ts';
import type { Item, Key } from './schema.ts';
import type { Table } from './table.ts';

/** A record that was changed through the service since the last import of it. */
export interface StoredEdit {
  readonly id: string;
  /** The database; of an entry only. */
  readonly modelId?: string;
  readonly editedAt: string;
  /** Key of the item. */
  readonly key: Key;
}

/** Keys of the records of a kind. */
export type EditedKind = RecordKind | 'workspace' | 'cmsModel' | 'cmsEntry';

/**
 * The records of a kind that were changed through the service since an import wrote them. It reads the whole kind, but
 * few attributes.
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
    const pk = kind === 'cmsModel' ? keys.cmsModels(workspaceId) : keys.records(workspaceId, kind);
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

/** The record of an edit as it is stored now; none when it has been removed since. */
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

/** A message is stored with its conversation; under its id is only where. */
function keyOf({ pk, sk, conversationId, createdAt }: Item, kind: EditedKind, workspaceId: string): Key {
  if (kind !== 'message') return { pk, sk };
  return keys.message(workspaceId, String(conversationId), String(createdAt), sk);
}
