import { isManagedKind } from '#lib/domain/manage/managed-kinds.ts';
import { notFound } from '#lib/http/errors.ts';
import { runIdempotent } from '#lib/http/run-idempotent.ts';
import type { JsonObject } from '#lib/records/json-object.ts';
import { IdempotencyRecord } from '#lib/table/access/idempotency-records.ts';
import { keys } from '#lib/table/keys.ts';
import { findWorkspace } from '#lib/table/stored-workspace.ts';
import { isMarked } from '#lib/table/writer/removal-marks.ts';
import { findRecord } from './find-record.ts';
import { documentKindOf } from './kinds.ts';
import { isAddress, type ManageRequest, type RecordAddress } from './managed-record.ts';
import type { RecordWrite, WriteAnswer } from './record-write.ts';
import { recordNotFound } from './refusals.ts';
import { parentOf } from './removal.ts';
import { createdId, idAt, replyOf, writeRecord } from './write-record.ts';

/** What the functions of single writes have in common. */
interface WriteCall extends ManageRequest {
  readonly params: { readonly kind: string; readonly id?: string };
  readonly headers: {
    readonly 'If-Match'?: string | undefined;
    readonly 'If-None-Match'?: string | undefined;
    readonly 'Idempotency-Key'?: string | undefined;
  };
  readonly body?: unknown;
  readonly logDetails: Record<string, string | readonly string[]>;
}

type WarmCall = Pick<WriteCall, 'principal' | 'table' | 'params' | 'headers'>;

/** Answers POST, PUT, PATCH or DELETE of one record, once for each Idempotency-Key. */
export async function answerWrite(call: WriteCall, verb: RecordWrite['verb']) {
  const { params, headers, logDetails } = call;
  const body = call.body as JsonObject | undefined;
  const address = addressOf(call.params, body);
  Object.assign(logDetails, { recordKind: address.name, recordId: address.id });
  const write: RecordWrite = {
    ...address,
    verb,
    ...(body && { body }),
    ifMatch: headers['If-Match'],
    ifNoneMatch: headers['If-None-Match'],
  };
  const answer = await runIdempotent<WriteAnswer>(
    { ...call, idempotencyScope: { workspaceId: call.principal.workspaceId } },
    operationOf(verb, params),
    body ?? null,
    {
      execute: (_, answering) => writeRecord(call, { ...write, idempotency: answering }),
      replay: (first) => show(call, address, first),
    },
  );
  return replyOf(answer);
}

/** What a write asks for first, read beside the key. */
export function warmWrite(call: WarmCall, verb: RecordWrite['verb']) {
  const { principal, table, params, headers } = call;
  const key = headers['Idempotency-Key'];
  const { kind, id } = params;
  return Promise.all([
    findWorkspace(table, principal.workspaceId),
    table.get(keys.importLease(principal.workspaceId)),
    id !== undefined && isManagedKind(kind) && findRecord({ table, principal }, { name: kind, id }),
    verb === 'replace' && id !== undefined && isManagedKind(kind) && wasRemoved(call, { name: kind, id }),
    key !== undefined &&
      new IdempotencyRecord(table, { workspaceId: principal.workspaceId }, operationOf(verb, params), key).find(),
  ]);
}

/** Whether a parent was removed a short time ago, which a write that may make it anew looks at. */
function wasRemoved({ principal, table }: WarmCall, { name, id }: RecordAddress): Promise<boolean> | false {
  const parent = isAddress({ name, id }) && parentOf(documentKindOf[name], id);
  return parent ? isMarked(table, principal.workspaceId, parent) : false;
}

/** An Idempotency-Key counts for a method and a path. */
const operationOf = (verb: RecordWrite['verb'], { kind, id = '' }: WriteCall['params']): string =>
  `manage ${verb} ${kind}/${id}`;

/** @throws 404 for an id that no record can have */
function addressOf({ kind, id }: WriteCall['params'], body: JsonObject | undefined): RecordAddress {
  if (!isManagedKind(kind)) throw notFound('Address');
  if (id !== undefined) {
    if (!isAddress({ name: kind, id })) throw recordNotFound(kind);
    return { name: kind, id };
  }
  return { name: kind, id: createdId(kind, body) };
}

/** The record as it is now, for a repetition whose first answer this caller may not see. */
async function show(
  call: ManageRequest,
  { name, id }: RecordAddress,
  first: WriteAnswer | undefined,
): Promise<WriteAnswer> {
  call.table.forgetAll();
  const location = first?.headers['location'];
  const found = await findRecord(call, { name, id: location === undefined ? id : idAt(location) });
  if (!found) throw recordNotFound(name);
  const headers = { ...(location !== undefined && { location }), etag: `"${found.etag}"` };
  return { status: first?.status ?? 200, headers, json: JSON.stringify(found.record) };
}
