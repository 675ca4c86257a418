import { memberKeysMax } from '#lib/domain/access/api-key.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import { type Issue, withPath } from '#lib/domain/issue.ts';
import type { Referrer } from '#lib/domain/referrer.ts';
import { webhooksMax } from '#lib/domain/webhooks/webhook.ts';
import { badRequest, HttpError, notFound, validationFailed } from '#lib/http/errors.ts';
import type { RequiredPermissions } from '#lib/kinds/define-kind.ts';
import { kindOf, type ManagedKind, managed } from '#lib/kinds/kinds.ts';
import { ChangeRefused } from '#lib/table/writer/change.ts';

/** The maximum number of records that a refusal names. */
export const namedRecordsMax = 20;

const nounOf = (kind: ManagedKind): string => {
  const { noun } = managed(kind);
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
};

export const recordNotFound = (kind: ManagedKind): HttpError => notFound(nounOf(kind));

/** The database that a path of an entry names. */
export const databaseNotFound = (): HttpError => recordNotFound('cmsModel');

/** @param verb a PUT is refused if the caller may not see the stored record */
export function alreadyExists(kind: ManagedKind, verb: 'create' | 'replace' | 'update'): HttpError {
  const { noun, verbs } = managed(kind);
  const next = verbs.replace ? 'PUT to replace it' : 'PATCH to change it';
  const message = `The ${noun} with this id already exists. Use ${verb === 'create' ? next : 'another id'}.`;
  return new HttpError(409, 'already_exists', message);
}

/** 409 for a change of a field that has values. */
export const hasValues = (entries: readonly Referrer[], granted: ReadonlySet<Permission>): HttpError =>
  inUseBy(
    entries,
    granted,
    'A field with values keeps its type, localized, many and relation',
    'Must have no value in a field that changes.',
  );

/** @param noun names the record, in lower case @param referrers as far as they are known */
export const inUse = (noun: string, referrers: readonly Referrer[], granted: ReadonlySet<Permission>): HttpError =>
  inUseBy(referrers, granted, `This ${noun} is in use`, `Must not refer to this ${noun}.`);

/** The 409 names only records that the caller may see, and says whether there are others. */
function inUseBy(
  referrers: readonly Referrer[],
  granted: ReadonlySet<Permission>,
  reason: string,
  message: string,
): HttpError {
  const named = referrers.filter((referrer) => maySee(granted, referrer));
  const parts = [
    ...(named.length > 0 ? ['the records listed in errors'] : []),
    ...(named.length < referrers.length ? ['records that you cannot see'] : []),
  ];
  const step = parts.length > 0 ? `Change or delete ${parts.join(' and ')} first.` : 'Another record refers to it now.';
  const errors = named.map(
    ({ kind, id }): Issue => ({ path: `${readingOf(kind).path}/${id}`, code: 'in_use', message }),
  );
  return new HttpError(409, 'in_use', `${reason}. ${step}`, { errors });
}

/** Whether a caller with these permissions may know that a record refers to another one. */
function maySee(granted: ReadonlySet<Permission>, { kind, needs = [] }: Referrer): boolean {
  const { permissions, permissionsNeeded } = readingOf(kind).needs;
  const has = (permission: Permission) => granted.has(permission);
  return needs.every(has) && (permissionsNeeded === 'any' ? permissions.some(has) : permissions.every(has));
}

/** Where the records of a kind are read, and with which permissions. */
function readingOf(kind: Referrer['kind']): { readonly path: string; readonly needs: RequiredPermissions } {
  if (kind === 'conversation')
    return { path: 'conversations', needs: { permissions: ['messaging:conversation:read'] } };
  const { path, verbs } = managed(kind);
  return { path, needs: verbs.get ?? { permissions: [] } };
}

/** The answer to a refusal: another write was stored between the check and the transaction. Other errors stay. */
export function errorOfRefusal(error: unknown, kind: ManagedKind): unknown {
  if (!(error instanceof ChangeRefused)) return error;
  const { reason } = error;
  if (reason === 'missing') return recordNotFound(kind);
  if (reason === 'in_use') return inUse(managed(kind).noun, [], new Set());
  const conflict = conflicts[reason];
  if (conflict) return conflict();
  const path = kindOf(kind).unique ?? 'id';
  const message = `Must be unique: a stored record has the same ${path}.`;
  return badRequest([validationFailed(withPath(memberIssues[reason] ?? { path, code: 'duplicate', message }))]);
}

type Reason = ChangeRefused['reason'];

/** Further refusals with 409. */
const conflicts: Readonly<Partial<Record<Reason, () => HttpError>>> = {
  use_import: () =>
    new HttpError(
      409,
      'use_import',
      'This change would rewrite more than 5,000 records. Import a workspace document with it instead.',
    ),
  last_manager: () =>
    new HttpError(
      409,
      'last_manager',
      'This is the last active member with access:member:manage. Give another member this permission first.',
    ),
  too_many_webhooks: () =>
    new HttpError(
      409,
      'limit_reached',
      `A workspace has at most ${webhooksMax} webhooks. Delete one first, or add types to one.`,
    ),
};

/** The issues of the member of a new key. */
const memberIssues: Readonly<Partial<Record<Reason, Issue>>> = {
  no_member: { path: 'memberId', code: 'not_found', message: 'Must be the id of a member of the workspace.' },
  too_many_keys: {
    path: 'memberId',
    code: 'max_items',
    message: `Must be a member with fewer than ${memberKeysMax} keys.`,
  },
};
