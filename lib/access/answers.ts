import type { Principal } from '#lib/domain/access/principal.ts';
import { ifNoneMatchHolds } from '#lib/http/conditional.ts';
import { notFound } from '#lib/http/errors.ts';
import { AuditEvents } from '#lib/table/access/audit-events.ts';
import { findKey } from '#lib/table/access/change-api-key.ts';
import { findMember } from '#lib/table/access/change-member.ts';
import { lastUseOf } from '#lib/table/access/key-uses.ts';
import type { Table } from '#lib/table/table.ts';
import { keyView } from './key-view.ts';

interface GetCall {
  readonly table: Table;
  readonly principal: Principal;
  readonly headers?: { readonly 'If-None-Match'?: string | undefined } | undefined;
}

/**
 * A key without its secret. Its tag never leads to a 304, because a use of the key does not change the tag.
 * @throws 404
 */
export async function answerKey({ table, principal }: Omit<GetCall, 'headers'>, id: string) {
  const [stored, lastUsedAt] = await Promise.all([findKey(table, principal, id), lastUseOf(table, principal, id)]);
  if (!stored) throw notFound('API key');
  return { body: keyView(stored.record, lastUsedAt), headers: { etag: `"${stored.etag}"` } };
}

/** @throws 404 */
export async function answerMember({ table, principal, headers }: GetCall, id: string) {
  const stored = await findMember(table, principal, id);
  if (!stored) throw notFound('Member');
  return answerWithEtag(stored.record, `"${stored.etag}"`, headers);
}

/** An event never changes, so its id is its version. @throws 404 */
export async function answerEvent({ table, principal, headers }: GetCall, id: string) {
  const event = await new AuditEvents(table, principal).find(id);
  if (!event) throw notFound('Audit event');
  return answerWithEtag(event, `"${event.id}"`, headers);
}

function answerWithEtag<Body extends object>(body: Body, etag: string, headers: GetCall['headers']) {
  if (ifNoneMatchHolds(headers?.['If-None-Match'], etag)) return { unchanged: etag };
  return { body, headers: { etag } };
}

/** The answers to GET of one record, by the kind in the address. */
export const reads = { 'api-keys': answerKey, members: answerMember, 'audit-events': answerEvent } as const;
