import { randomUUID } from 'node:crypto';
import type { AuditAction } from '#lib/domain/access/audit-event.ts';
import { changedPaths } from '#lib/domain/access/audit-event.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { ifMatchHolds, listsTag } from '#lib/http/conditional.ts';
import { badRequest, HttpError, preconditionFailed, validationFailed } from '#lib/http/errors.ts';
import { runIdempotent } from '#lib/http/run-idempotent.ts';
import type { WriteRequest } from '#lib/http/write-request.ts';
import { type JsonObject, textOf } from '#lib/records/json-object.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { IdempotencyRecord } from '#lib/table/access/idempotency-records.ts';
import { findWorkspace } from '#lib/table/stored-workspace.ts';
import type { Table, TransactItem, Writes } from '#lib/table/table.ts';

/** A call that writes a key or a member. */
export interface AccessCall extends WriteRequest {
  readonly principal: Principal;
  readonly table: Table;
  readonly requestId: string;
}

export type AccessKind = 'api-keys' | 'members';

/** An answer in the form that is recorded under an Idempotency-Key. */
export interface AccessAnswer {
  readonly status: 200 | 201 | 204;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
}

interface Work {
  /** @param idempotency makes the write that records the response, for the transaction that does the work */
  readonly execute: (idempotency: ((answer: AccessAnswer) => TransactItem) | undefined) => Promise<AccessAnswer>;
  /** Reads the current record. A retry whose caller may not see the first response gets it. @param id of a new record */
  readonly replay: (id: string | undefined) => Promise<AccessAnswer>;
}

/** Runs a call under its Idempotency-Key. The key's scope is the workspace, the method and the path. */
export function runIdempotentCall(
  call: AccessCall,
  operation: string,
  { execute, replay }: Work,
): Promise<AccessAnswer> {
  const { workspaceId } = call.principal;
  return runIdempotent<AccessAnswer>(
    { ...call, idempotencyScope: { workspaceId } },
    `access ${operation}`,
    call.body ?? null,
    {
      execute: (_, answering) => execute(answering),
      replay: async (first) => {
        if (first?.status === 204) return first;
        const location = first?.headers['location'];
        const { headers, body } = await replay(location === undefined ? undefined : lastSegment(location));
        return { status: first?.status ?? 200, headers: { ...first?.headers, ...headers }, body };
      },
    },
  );
}

const lastSegment = (location: string): string => decodeURIComponent(location.split('/').at(-1) ?? '');

/** The first reads of every write, in parallel with the caller's key. */
export const warmCall = (
  { principal: { workspaceId }, table, headers }: Pick<AccessCall, 'principal' | 'table' | 'headers'>,
  operation: string,
): Promise<unknown> => {
  const key = headers['Idempotency-Key'];
  return Promise.all([
    findWorkspace(table, workspaceId),
    key !== undefined && new IdempotencyRecord(table, { workspaceId }, `access ${operation}`, key).find(),
  ]);
};

/** The audit event of a change, for its transaction. */
export const auditOf = (
  { principal, requestId }: AccessCall,
  [recordKind, recordId]: readonly [AccessKind, string],
  action: AuditAction,
  versions: { readonly before?: object | undefined; readonly after?: object | undefined } = {},
): Writes => {
  const { before, after } = versions;
  const changed = before && after ? changedPaths(before, after) : [];
  return auditWrite(principal, { actor: principal.actor, action, recordKind, recordId, changed, requestId });
};

/** 400 with all issues of a record. */
export const refuse = (issues: readonly Issue[]): void => {
  if (issues.length === 0) return;
  const issuesWithPaths = issues.map((issue) => ({
    ...issue,
    message: issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`,
  }));
  throw badRequest(issuesWithPaths.map(validationFailed));
};

/**
 * The id of a new record: the id in the body, or a random one. A malformed id is replaced, because it must not become a
 * table key.
 */
export function newRecordId(body: JsonObject, prefix: string): string {
  const id = textOf(body['id']);
  return isRecordId(id) ? id : `${prefix}${randomUUID().replaceAll('-', '')}`;
}

/** The properties that a body may repeat but not change. */
export const immutableIssues = (input: JsonObject, members: Readonly<Record<string, unknown>>): Issue[] =>
  Object.entries(members)
    .filter(([name, value]) => Object.hasOwn(input, name) && input[name] !== value)
    .map(([path]) => ({
      path,
      code: 'not_allowed' as const,
      message: path === 'id' ? 'Must be the one in the address.' : 'Must be the stored one; it cannot be changed.',
    }));

/** @throws 412 */
export function requireConditions({ headers }: AccessCall, noun: string, etag: string | undefined): void {
  const ifMatch = headers['If-Match'];
  const ifNoneMatch = headers['If-None-Match'];
  const tag = etag === undefined ? undefined : `"${etag}"`;
  if (ifMatch !== undefined && (tag === undefined || !ifMatchHolds(ifMatch, tag))) throw preconditionFailed(noun);
  if (ifNoneMatch === undefined || tag === undefined) return;
  if (ifNoneMatch.trim() === '*' || listsTag(ifNoneMatch, tag)) {
    throw new HttpError(412, 'precondition_failed', `The ${noun} with this id already exists.`);
  }
}

export const alreadyExists = (noun: string, next: string) =>
  new HttpError(409, 'already_exists', `The ${noun} with this id already exists. ${next}`);

export const locationOf = (kind: AccessKind, id: string): string => `/api/v1/manage/${kind}/${encodeURIComponent(id)}`;

/** The answer in the form that a handler returns. */
export const replyOf = ({ status, headers, body }: AccessAnswer) =>
  status === 204 ? { empty: true as const } : { status, headers, json: JSON.stringify(body) };
