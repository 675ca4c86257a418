import type { Permission } from '#lib/domain/access/permission.ts';
import type { CallerKind, Principal } from '#lib/domain/access/principal.ts';
import { originRefusal } from '../cors.ts';
import { type Endpoint, isForVisitors, memberRuleOf } from '../endpoint.ts';
import { declarationFor } from '../endpoint-kinds.ts';
import { HttpError, permissionDenied } from '../errors.ts';
import type { ApiEvent } from '../request-state.ts';

type PermissionRules = Pick<Endpoint, 'permissions' | 'permissionsNeeded' | 'keyMember' | 'callers'>;

/** Whatever a visitor does, the token's key and its member need this (lib/spec/additions.md section 4). */
const needsOfVisitor: PermissionRules = { permissions: ['messaging:conversation:engage'] };

/**
 * Holds the key against the permissions of the declaration; on a messaging route also the member it belongs to, who
 * needs one and the same permission as the key (lib/spec/decisions.md section 2). On management routes a member is not
 * needed, but counts (lib/spec/additions.md section 2).
 * A visitor calls from the website of the token (lib/spec/additions.md section 4).
 * @throws 403 that names what is lacking: of the key first, then the member, then the member's permission
 */
export const requirePermissions = (endpoint: Endpoint) => ({
  before: ({ event }: { event: ApiEvent }) => {
    const { state } = event;
    const needs = declarationFor(endpoint, state.params);
    const { principal } = state;
    const refusal = principal
      ? (originRefusal(event, principal) ?? refusalOf(needs, principal))
      : lacksPermission(needs.permissions.join());
    if (refusal) throw refusal;
  },
});

/** @returns the 403 for a caller that lacks a permission of the declaration */
export function refusalOf(declared: PermissionRules, { kind, permissions, member }: Principal): HttpError | undefined {
  const isVisitor = kind === 'visitor';
  if (isVisitor && !isForVisitors(declared)) return permissionDenied("A visitor's token does not open this address.");
  const needs = isVisitor ? needsOfVisitor : declared;
  const missing = missingOf(needs, needs.permissions, permissions);
  if (missing) return lacksPermission(missing, kind);
  const rule = memberRuleOf(needs);
  if (rule === 'ignored' || (rule === 'counts' && !member)) return undefined;
  if (!member) return new HttpError(403, 'member_required', 'This API key belongs to no workspace member.');
  const granted = needs.permissions.filter((permission) => permissions.has(permission));
  const missingToMember = missingOf(needs, granted, member.permissions);
  return missingToMember === undefined
    ? undefined
    : permissionDenied(`The member of this API key lacks the permission ${missingToMember}.`);
}

/** @returns in words which of the wanted permissions is lacking, if the others are not enough */
function missingOf(
  { permissionsNeeded = 'all' }: PermissionRules,
  wanted: readonly Permission[],
  granted: ReadonlySet<Permission>,
): string | undefined {
  const missing = wanted.filter((permission) => !granted.has(permission));
  if (permissionsNeeded === 'all') return missing[0];
  return missing.length === wanted.length ? missing.join(' or ') : undefined;
}

export const lacksPermission = (permission: string, kind: CallerKind = 'key') =>
  permissionDenied(`${kind === 'session' ? 'You lack' : 'This API key lacks'} the permission ${permission}.`);
