import * as z from 'zod/mini';
import type { AuditEvent } from '#lib/domain/access/audit-event.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { foldedWords, hasWords } from '#lib/domain/text/folded-text.ts';
import { pageOf } from '#lib/http/page.ts';
import { rendered } from '#lib/http/respond.ts';
import { pageInNameOrder } from '#lib/manage/lists/name-order.ts';
import { ApiKeyRecords } from '#lib/table/access/api-key-records.ts';
import { AuditEvents, type AuditFilter, isEventId } from '#lib/table/access/audit-events.ts';
import { lastUseOf } from '#lib/table/access/key-uses.ts';
import type { Table } from '#lib/table/table.ts';
import { keyView } from './key-view.ts';

export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly q?: string | undefined;
}

/** Keys by name, each with its last use. @throws 400 */
export async function listKeys(table: Table, scope: WorkspaceScope, query: ListQuery) {
  const all = await new ApiKeyRecords(table, scope, 'service').list();
  const list = [scope.workspaceId, 'api-keys'];
  const { records, next } = await pageByName(all, query, list, ({ id, name }) => [id, name]);
  const data = records.map(async (record) => keyView(record, await lastUseOf(table, scope, record.id)));
  return { data: await Promise.all(data), next };
}

/** Members by name. @throws 400 */
export async function listMembers(table: Table, scope: WorkspaceScope, query: ListQuery) {
  const all = await new ApiKeyRecords(table, scope, 'service').members();
  const list = [scope.workspaceId, 'members'];
  const { records, next } = await pageByName(all, query, list, ({ id, name, email }) => [id, name, email]);
  return { data: records, next };
}

/** A page of a few records by name (lib/spec/additions.md section 2, lists). */
function pageByName<R extends { readonly id: string; readonly name: string }>(
  all: readonly R[],
  { q, ...page }: ListQuery,
  list: readonly unknown[],
  searched: (record: R) => readonly (string | null)[],
) {
  const words = foldedWords(q ?? '');
  const found = all.filter((record) => hasWords(textsOf(searched(record)), words));
  const named = found.map((record) => ({ id: record.id, name: record.name, record }));
  return pageInNameOrder({ ...page, list: [...list, words] }, named);
}

const textsOf = (texts: readonly (string | null)[]): string[] => texts.filter((text) => text !== null);

/** The number of events that one page examines, about 7 MB, if no partition fits the filter. */
const lookedAtMax = 20_000;

/** Audit events, newest first. A page examines at most 20,000 events, so it may be short before the end. @throws 400 */
export async function listEvents(
  table: Table,
  scope: WorkspaceScope,
  { limit, cursor, q, ...filter }: ListQuery & AuditFilter,
) {
  const words = foldedWords(q ?? '');
  const events = new AuditEvents(table, scope);
  const { rows, next } = await pageOf<AuditEvent, string>(
    { list: [scope.workspaceId, 'audit-events', filter, words], limit, cursor },
    {
      order: { position: z.string().check(z.refine(isEventId)), of: ({ id }) => id },
      after: (id, count) => events.newestFirst(filter, { after: id, count, isSearch: words.length > 0 }),
      matches: (event) => events.matches(filter, event) && hasWords(searchedIn(event), words),
      lookedAtMax,
    },
  );
  return { data: [...rows], next };
}

const searchedIn = ({ id, actor, recordId, recordKind }: AuditEvent) => [
  id,
  actor.id,
  actor.name,
  recordId,
  recordKind,
];

type ReadList = (
  table: Table,
  scope: WorkspaceScope,
  query: ListQuery,
) => Promise<{ data: object[]; next: string | null }>;

const answering = (read: ReadList) => async (table: Table, scope: WorkspaceScope, query: ListQuery) => ({
  json: rendered(JSON.stringify(await read(table, scope, query))),
});

/** The answers to GET of a list, by the kind in the address. */
export const lists = {
  'api-keys': answering(listKeys),
  members: answering(listMembers),
  'audit-events': answering(listEvents),
} as const;
