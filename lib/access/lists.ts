import type { AuditEvent } from '#lib/domain/access/audit-event.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { foldedWords, hasWords } from '#lib/domain/text/folded-text.ts';
import { cursorOf } from '#lib/http/cursor.ts';
import { ApiKeyRecords } from '#lib/table/access/api-key-records.ts';
import { AuditEvents, type AuditFilter } from '#lib/table/access/audit-events.ts';
import { lastUseOf } from '#lib/table/access/key-uses.ts';
import type { Table } from '#lib/table/table.ts';
import { keyView } from './key-view.ts';
import { type ListQuery, pageByName, positionInCursor } from './list-page.ts';

/** Keys by name, each with its last use. @throws 400 */
export async function listKeys(table: Table, scope: WorkspaceScope, query: ListQuery) {
  const records = await new ApiKeyRecords(table, scope, 'service').list();
  const list = [scope.workspaceId, 'api-keys'];
  const page = pageByName(records, query, list, ({ id, name }) => [id, name]);
  const data = page.data.map(async (record) => keyView(record, await lastUseOf(table, scope, record.id)));
  return { data: await Promise.all(data), next: page.next };
}

/** Members by name. @throws 400 */
export async function listMembers(table: Table, scope: WorkspaceScope, query: ListQuery) {
  const members = await new ApiKeyRecords(table, scope, 'service').members();
  const list = [scope.workspaceId, 'members'];
  return pageByName(members, query, list, ({ id, name, email }) => [id, name, email]);
}

/** Audit events, newest first. @throws 400 */
export async function listEvents(
  table: Table,
  { workspaceId }: WorkspaceScope,
  { limit, cursor, q, ...filter }: ListQuery & AuditFilter,
) {
  const words = foldedWords(q ?? '');
  const listKey = [workspaceId, 'audit-events', filter, words];
  const [after] = cursor === undefined ? [] : positionInCursor(listKey, cursor);
  const { events, next } = await new AuditEvents(table, { workspaceId }).page(filter, limit, {
    after,
    ...(words.length > 0 && {
      matches: ({ id, actor, recordId, recordKind }: AuditEvent) =>
        hasWords([id, actor.id, actor.name, recordId, recordKind], words),
    }),
  });
  return { data: [...events], next: next === undefined ? null : cursorOf(listKey, [next]) };
}
