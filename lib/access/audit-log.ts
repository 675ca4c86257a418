import * as z from 'zod/mini';
import type { AuditEvent } from '#lib/domain/access/audit-event.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { changedSeenBy } from '#lib/domain/events/workspace-event.ts';
import { foldedWords, hasWords } from '#lib/domain/text/folded-text.ts';
import { rendered } from '#lib/http/answer.ts';
import { notFound } from '#lib/http/errors.ts';
import { pageOf } from '#lib/http/page.ts';
import type { ListValues } from '#lib/kinds/kind-endpoints.ts';
import type { ListRequest } from '#lib/manage/lists/list-query.ts';
import { AuditEvents, type AuditFilter, isEventId, type StoredEvent } from '#lib/table/access/stored-events.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';

/** @throws 404 */
export async function answerEvent({ table, principal }: ListRequest, id: string) {
  const event = await new AuditEvents(table, principal).find(id);
  if (!event) throw notFound('Audit event');
  return { json: rendered(JSON.stringify(eventSeenBy(principal)(event))) };
}

type EventQuery = AuditFilter & ListValues;

/** Answers a page of audit events. @throws 400 */
export async function answerEvents({ table, principal, query }: ListRequest & { readonly query: EventQuery }) {
  const { data, next } = await listEvents(table, principal, query);
  return { json: rendered(JSON.stringify({ data: data.map(eventSeenBy(principal)), next })) };
}

/** An event without the paths that its reader does not see. */
function eventSeenBy(principal: Principal): (event: StoredEvent) => AuditEvent {
  const changedIn = changedSeenBy(principal);
  return ({ hidden, ...event }) => ({ ...event, changed: changedIn({ ...event, hidden }) });
}

/** The number of events that one page examines, about 7 MB, if no partition fits the filter. */
const lookedAtMax = 20_000;

/** Audit events, newest first. A page examines at most 20,000 events, so it may be short before the end. @throws 400 */
export async function listEvents(table: Table, scope: WorkspaceScope, { limit, cursor, q, ...filter }: EventQuery) {
  const words = foldedWords(q ?? '');
  const events = new AuditEvents(table, scope);
  const { rows, next } = await pageOf<StoredEvent, string>(
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
  actor.id ?? '',
  actor.name,
  recordId,
  recordKind,
];
