import { createHash } from 'node:crypto';
import { keys, type RecordKind } from './keys.ts';
import type { Item } from './table.ts';

export const newItem = (workspaceId: string, kind: RecordKind, record: { readonly id: string }): Item => ({
  ...keys.record(workspaceId, kind, record.id),
  record: JSON.stringify(record),
  ...editedNow(),
});

/** Marks an item as changed through the service: a record has it only if its last change was not an import. */
export const editedNow = (): { readonly editedAt: string } => ({ editedAt: new Date().toISOString() });

/** Another one after each change through the service; undefined if an import has written the item without one. */
export const revisionOf = (item: Item | undefined): string | undefined =>
  typeof item?.['revision'] === 'string' ? item['revision'] : undefined;

/** What a change reads. @param record the one that readers see */
export const foundRecord = (item: Item | undefined, record: object | undefined) => ({
  record,
  etag: record && etagOfText(JSON.stringify(record)),
  revision: revisionOf(item),
  item,
});

/** The strong ETag of a record, without quotes: a hash of its stored text. */
export const etagOfText = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
