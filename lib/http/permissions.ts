import type { Permission } from '#lib/domain/access/permission.ts';
import type { CallerKind, Principal } from '#lib/domain/access/principal.ts';
import type { Endpoint } from './declaration.ts';
import { isForVisitors, memberRuleOf } from './endpoint.ts';
import { HttpError, permissionDenied } from './errors.ts';

type PermissionRules = Pick<Endpoint, 'permissions' | 'permissionsNeeded' | 'memberPermission' | 'callers'>;

/** The key of a visitor's token, and the key's member, need this for every call (lib/spec/additions.md section 4). */
const needsOfVisitor: PermissionRules = { permissions: ['messaging:conversation:engage'] };

/**
 * On messaging routes the key must belong to a member, and both need the same permission (lib/spec/decisions.md section
 * 2). On management routes a key without a member is enough (lib/spec/additions.md section 2).
 * @returns the 403 for what is missing: the key's permission first, then the member, then the member's permission
 */
export function refusalOf(declared: PermissionRules, { kind, permissions, member }: Principal): HttpError | undefined {
  const isVisitor = kind === 'visitor';
  if (isVisitor && !isForVisitors(declared)) return permissionDenied("A visitor's token does not open this address.");
  const needs = isVisitor ? needsOfVisitor : declared;
  const missing = missingOf(needs, needs.permissions, permissions);
  if (missing) return lacksPermission(missing, kind);
  const rule = memberRuleOf(needs);
  if (rule === 'ignored' || (rule === 'ifPresent' && !member)) return undefined;
  if (!member)
    return new HttpError(
      403,
      'member_required',
      'This API key does not belong to a member of the workspace. Use a key with a `memberId`.',
    );
  const granted = needs.permissions.filter((permission) => permissions.has(permission));
  const missingToMember = missingOf(needs, granted, member.permissions);
  return missingToMember === undefined
    ? undefined
    : permissionDenied(`The member of this API key lacks the permission ${missingToMember}.`);
}

/** @returns the missing permissions in words; undefined if none is missing */
function missingOf(
  { permissionsNeeded = 'all' }: PermissionRules,
  required: readonly Permission[],
  granted: ReadonlySet<Permission>,
): string | undefined {
  const missing = required.filter((permission) => !granted.has(permission));
  if (permissionsNeeded === 'all') return missing[0];
  return missing.length === required.length ? missing.join(' or ') : undefined;
}

/** @param reason a sentence with a blank before it, where the permission alone does not explain itself */
export const lacksPermission = (permission: string, kind: CallerKind = 'key', reason = '') =>
  permissionDenied(`${kind === 'session' ? 'You lack' : 'This API key lacks'} the permission ${permission}.${reason}`);
