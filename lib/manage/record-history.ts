import * as z from 'zod/mini';
import { operator } from '#lib/domain/access/audit-event.ts';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { JsonObject } from '#lib/domain/input.ts';
import { rendered } from '#lib/http/answer.ts';
import { notFound } from '#lib/http/errors.ts';
import { pageOf } from '#lib/http/page.ts';
import type { ListValues } from '#lib/kinds/kind-endpoints.ts';
import { isStored, isVersionId, type Version, Versions } from '#lib/table/history/versions.ts';
import { storedRecord } from '#lib/table/writer/first-reads.ts';
import {
  isAddress,
  type KindContext,
  type ManageRequest,
  parseRecordAddress,
  type RecordAddress,
  servedAt,
} from './managed-record.ts';
import { databaseNotFound, recordNotFound } from './refusals.ts';

export interface HistoryCall extends Pick<ManageRequest, 'table' | 'principal' | 'rules'> {
  readonly params: { readonly kind: string; readonly id: string; readonly version: string };
}

/** A call of a route that is about versions: the record that its name and its path tell, and the version. */
export function historyCallOf<Call extends Pick<HistoryCall, 'principal'> & { params: { kind: string } }>(
  request: Call,
) {
  const [kind = ''] = request.params.kind.split('/');
  const { version = '', id = request.principal.workspaceId } = request.params as Partial<Record<string, string>>;
  return { ...request, params: { kind, id, version } };
}

/** The history of a record, as far as a caller may see it. */
export interface RecordHistory {
  readonly address: RecordAddress;
  /** The record in audit events. */
  readonly named: { readonly recordKind: string; readonly recordId: string };
  readonly versions: Versions;
  readonly context: KindContext;
  readonly granted: ReadonlySet<Permission>;
  /** Undefined if the record does not exist. */
  readonly revision: string | undefined;
  readonly exists: boolean;
  /** Whether the caller sees a version. */
  readonly shows: (version: Version) => boolean;
}

/** The number of versions that one page examines. */
const lookedAtMax = 1_000;

/**
 * @throws 404 for a kind without history, an id without a record and without versions, a draft that the caller does not
 * see, and an entry of a database that does not exist
 */
export async function openHistory(request: HistoryCall): Promise<RecordHistory> {
  const { table, principal, params } = request;
  const served = servedAt(request, params.kind);
  if (!served?.rules.managed.hasHistory) throw notFound('Address');
  const { kind, rules } = served;
  const { noun, path } = rules.managed;
  const address = { kind, rules, id: params.id };
  if (!isAddress(address)) throw recordNotFound(noun);
  const parsed = parseRecordAddress(address.id);
  const [context = {}, { record, revision }] = await Promise.all([
    rules.context?.(request, address.id),
    storedRecord(rules.storage, table, principal, { kind, ...parsed }),
  ]);
  if (rules.hasParent?.(parsed, context) === false) throw databaseNotFound();
  const granted = effectivePermissions(principal);
  const { exists = () => true } = rules;
  if (record && !exists(record as JsonObject, granted)) throw recordNotFound(noun);
  const seesDrafts = exists({ published: false }, granted);
  const versions = new Versions(table, principal);
  const named = { recordKind: path, recordId: address.id };
  if (!record) {
    // It was a draft if the newest version says so.
    const newest = await versions.newestFirst(named, undefined, 1).next();
    if (newest.done || (newest.value.isDraft && !seesDrafts)) throw recordNotFound(noun);
  }
  const shows = ({ isDraft }: Version) => seesDrafts || !isDraft;
  return { address, named, versions, context, granted, revision, exists: record !== undefined, shows };
}

/** Answers a page of the versions of a record, newest first (lib/spec/additions.md section 14). @throws 400, 404 */
export async function answerVersions(call: HistoryCall & { readonly query: object }) {
  const { principal } = call;
  const query = call.query as ListValues;
  const history = await openHistory(call);
  const { versions, named: record, shows } = history;
  const list = [principal.workspaceId, 'versions', record.recordKind, record.recordId];
  const { rows, next } = await pageOf<Version, string>(
    { list, ...query },
    {
      order: { position: z.string().check(z.refine(isVersionId)), of: ({ id }) => id },
      after: (id, count) => versions.newestFirst(record, id, count),
      matches: shows,
      lookedAtMax,
    },
  );
  const data = await Promise.all(rows.map((version) => shownVersion(history, version)));
  return { json: rendered(JSON.stringify({ data: data.flat(), next })) };
}

async function shownVersion(history: RecordHistory, version: Version): Promise<object[]> {
  const { versions, address, context, granted, revision } = history;
  const event = await versions.event(version.eventId);
  if (!event) return [];
  const { id, isBefore } = version;
  const { at } = event;
  if (isBefore) return [{ id, at, actor: operator, action: 'import', changed: [], isCurrent: false }];
  const { formerPaths = ({ changed }) => changed } = address.rules;
  const changed = formerPaths(event, address, granted, context);
  return [{ id, at, actor: event.actor, action: event.action, changed, isCurrent: isStored(version, revision) }];
}

/** Answers the record as a change has left it. @throws 404, of a deletion, too */
export async function answerVersion(call: HistoryCall) {
  const history = await openHistory(call);
  const found = await findVersion(history, call.params.version);
  if (!found) throw notFound('Version');
  return { json: rendered(found.text) };
}

/** A version that is a record, as far as the caller may see it, and as a whole. */
export async function findVersion(
  { address, named: record, versions, context, granted, shows }: RecordHistory,
  id: string,
): Promise<{ readonly text: string; readonly whole: JsonObject; readonly revision: string } | undefined> {
  const version = await versions.find(record, id);
  if (!version || version.isDeletion || !shows(version)) return undefined;
  const states = await versions.states(record, version.eventId);
  const text = version.isBefore ? states?.before : states?.after;
  if (!states || text === undefined) return undefined;
  const whole = JSON.parse(text) as JsonObject;
  const { formerView = () => whole } = address.rules;
  const shown = formerView(whole, states.hidden, granted, context);
  return { text: shown === whole ? text : JSON.stringify(shown), whole, revision: version.revision };
}
