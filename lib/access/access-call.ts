import { randomUUID } from 'node:crypto';
import type { AuditAction } from '#lib/domain/access/audit-event.ts';
import { changedPaths } from '#lib/domain/access/audit-event.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { type Issue, withPath } from '#lib/domain/issue.ts';
import { type JsonObject, textOf } from '#lib/domain/json-object.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { requireConditions } from '#lib/http/conditional.ts';
import { badRequest, HttpError, validationFailed } from '#lib/http/errors.ts';
import { rendered } from '#lib/http/respond.ts';
import type { WriteRequest } from '#lib/http/write-request.ts';
import { type KeyScope, readKeyAhead } from '#lib/idempotency/run-idempotent.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import type { Table, Writes } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';

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

/** The first reads of every write, in parallel with the caller's key. */
export const warmCall = (
  call: Pick<AccessCall, 'principal' | 'table' | 'headers'>,
  operation: string,
): Promise<unknown> =>
  Promise.all([findWorkspace(call.table, call.principal.workspaceId), readKeyAhead(call, accessScope(operation))]);

/** @param operation the method and the path, the scope of an Idempotency-Key */
export const accessScope = (operation: string): KeyScope => ({
  sharedBy: 'workspace',
  operation: `access ${operation}`,
});

/** The audit event of a change, for its transaction. @param versions.effect paths that an event names without an update */
export const auditOf = (
  { principal, requestId }: AccessCall,
  [recordKind, recordId]: readonly [AccessKind, string],
  action: AuditAction,
  versions: {
    readonly before?: object | undefined;
    readonly after?: object | undefined;
    readonly effect?: readonly string[];
  } = {},
): Writes => {
  const { before, after, effect = [] } = versions;
  const changed = before && after && action === 'update' ? changedPaths(before, after) : effect;
  return auditWrite(principal, { actor: principal.actor, action, recordKind, recordId, changed, requestId });
};

/** @throws 400 with all issues of a record, if it has any */
export const refuseIssues = (issues: readonly Issue[]): void => {
  if (issues.length === 0) return;
  throw badRequest(issues.map(withPath).map(validationFailed));
};

/**
 * The id of a new record: the id in the body, or a random one. A malformed id is replaced, because it must not become a
 * table key.
 */
export function newRecordId(body: JsonObject, prefix: string): string {
  const id = textOf(body['id']);
  return isRecordId(id) ? id : `${prefix}${randomUUID().replaceAll('-', '')}`;
}

/** The issues of properties that a body may repeat but not change. */
export const immutableIssues = (input: JsonObject, members: Readonly<Record<string, unknown>>): Issue[] =>
  Object.entries(members)
    .filter(([name, value]) => Object.hasOwn(input, name) && input[name] !== value)
    .map(([path]) => ({
      path,
      code: 'not_allowed' as const,
      message: path === 'id' ? 'Must be the one in the address.' : 'Must be the stored one; it cannot be changed.',
    }));

/** @throws 412 */
export function requireConditionsOf({ headers }: AccessCall, noun: string, etag: string | undefined): void {
  const conditions = { ifMatch: headers['If-Match'], ifNoneMatch: headers['If-None-Match'] };
  requireConditions(conditions, etag, { noun, stored: `The ${noun} with this id already exists.` });
}

export const alreadyExists = (noun: string, next: string) =>
  new HttpError(409, 'already_exists', `The ${noun} with this id already exists. ${next}`);

export const locationOf = (kind: AccessKind, id: string): string => `/api/v1/manage/${kind}/${encodeURIComponent(id)}`;

/** The answer in the form that a handler returns. */
export const replyOf = ({ status, headers, body }: AccessAnswer) =>
  status === 204 ? { empty: true as const } : { status, headers, json: rendered(JSON.stringify(body)) };
