import { type JsonObject, textOf } from '#lib/domain/json-object.ts';
import { started } from '#lib/domain/started.ts';
import { notFound } from '#lib/http/errors.ts';
import { type KeyScope, readKeyAhead, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { managedKindAt } from '#lib/kinds/kinds.ts';
import { findRecord } from './find-record.ts';
import {
  isAddress,
  type ManageRequest,
  type RecordAddress,
  type RecordWrite,
  rulesOf,
  type WriteAnswer,
} from './managed-record.ts';
import { recordNotFound } from './refusals.ts';
import { beginWrite, createdId, idInPath, replyOf } from './write-record.ts';

/** The parts of a request that writes one record. */
interface WriteRequest {
  readonly headers: {
    readonly 'If-Match'?: string | undefined;
    readonly 'If-None-Match'?: string | undefined;
    readonly 'Idempotency-Key'?: string | undefined;
  };
  readonly body?: unknown;
  /** For the log line: the ids of the records that the request changed. */
  readonly logDetails: Record<string, string | readonly string[]>;
}

/** A call of a function that writes one record. */
export interface WriteCall extends ManageRequest, WriteRequest {
  readonly params: { readonly kind: string; readonly id?: string };
}

/**
 * Answers POST, PUT, PATCH or DELETE of one record, once for each Idempotency-Key (lib/spec/additions.md section 2).
 * @throws 400, 403, 404, 409, 412, 422, Unavailable; then nothing is stored
 */
export async function answerWrite(call: WriteCall, verb: RecordWrite['verb']) {
  const { answer } = await writeOnce(call, { verb, body: call.body as JsonObject | undefined });
  return replyOf(answer);
}

/** What a call writes, and the scope of its Idempotency-Key if that is not `verb` and the path. */
interface Written extends Pick<RecordWrite, 'verb' | 'issued'> {
  readonly body: JsonObject | undefined;
  readonly operation?: string;
}

/** @returns the answer, and whether this call made the change; a retry did not */
export async function writeOnce(
  call: WriteCall,
  { operation, body, ...written }: Written,
): Promise<{ readonly answer: WriteAnswer; readonly isFirst: boolean }> {
  const { params, headers, logDetails } = call;
  const now = new Date();
  const address = addressOf(call, body, now);
  Object.assign(logDetails, { recordKind: params.kind, recordId: address.id });
  const write: RecordWrite = {
    ...address,
    ...written,
    newIdAt: params.id === undefined && textOf(body?.['id']) === '' ? now : undefined,
    ...(body && { body }),
    ifMatch: headers['If-Match'],
    ifNoneMatch: headers['If-None-Match'],
  };
  const scope = keyScopeOf(operation ?? write.verb, params);
  started(readKeyAhead(call, scope));
  const carryOut = beginWrite(call, write);
  let isFirst = false;
  const answer = await runIdempotent<WriteAnswer>(call, scope, {
    request: () => call.body ?? null,
    execute: async ({ claimWithAnswer }) => {
      const first = await carryOut(claimWithAnswer);
      isFirst = true;
      return first;
    },
    replay: (first) => (first?.status === 204 ? first : showCurrent(call, address, first)),
  });
  return { answer, isFirst };
}

/** The scope of an Idempotency-Key is a method and a path. */
const keyScopeOf = (operation: string, { kind, id = '' }: WriteCall['params']): KeyScope => ({
  sharedBy: 'workspace',
  operation: `manage ${operation} ${kind}/${id}`,
});

/** @throws 404 for an id that no record can have */
function addressOf(call: WriteCall, body: JsonObject | undefined, now: Date): RecordAddress {
  const { kind: path, id } = call.params;
  const kind = managedKindAt(path);
  if (!kind) throw notFound('Address');
  if (id !== undefined) {
    if (!isAddress({ kind, id })) throw recordNotFound(kind);
    return { kind, id };
  }
  return { kind, id: createdId(rulesOf(call, kind), kind, body, now) };
}

/** Reads the current record, for a retry whose caller may not see the first answer. */
async function showCurrent(
  call: ManageRequest,
  { kind, id }: RecordAddress,
  first: WriteAnswer | undefined,
): Promise<WriteAnswer> {
  call.table.clearCache();
  const location = first?.headers['location'];
  const found = await findRecord(call, { kind, id: location === undefined ? id : idInPath(location) });
  if (!found) throw recordNotFound(kind);
  const headers = { ...(location !== undefined && { location }), etag: `"${found.etag}"` };
  return { status: first?.status ?? 200, headers, json: JSON.stringify(found.record) };
}
