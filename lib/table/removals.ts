import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { isStill } from './dynamodb/conditions.ts';
import { ConditionFailed } from './errors.ts';
import { keys, type RecordKind } from './keys.ts';
import { orphanedObjectWrite } from './messaging/pending-attachment.ts';
import { type Named, namesOf } from './record-names.ts';
import { recordOf } from './record-of.ts';
import type { Item, Key } from './schema.ts';
import type { Table, TransactItem, Writes } from './table.ts';
import { repeatTransaction } from './writer/repeat-write.ts';

// The removal of records whose time is over (retention.ts), and of what belongs to them. Each step can be repeated.

export const removeKey = ({ pk, sk }: Key): TransactItem => ({ Delete: { Key: { pk, sk } } });

/** Removes a record and its names, unless it has changed since it was read. */
export async function removeRecord(
  table: Table,
  { workspaceId }: WorkspaceScope,
  kind: RecordKind,
  item: Item,
  more: Writes = {},
): Promise<void> {
  const { pk, sk, record } = item;
  const names = namesOf(kind, recordOf<Named>(item)).map((name) => removeKey(keys.slug(workspaceId, kind, name)));
  const removal = { Delete: { Key: { pk, sk }, ...isStill('record', record) } };
  try {
    await repeatTransaction(table, { record: removal, names, ...more });
  } catch (error) {
    // Somebody else has removed or changed it, or the reply to our own try was lost.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Removes a file, if it is stored. The sweep of attachments removes its bytes. */
export async function removeFile(table: Table, scope: WorkspaceScope, id: string): Promise<void> {
  const item = await table.get(keys.record(scope.workspaceId, 'attachment', id));
  if (!item) return;
  const object = orphanedObjectWrite(scope, recordOf<Attachment>(item), Date.now());
  await removeRecord(table, scope, 'attachment', item, { object });
}
