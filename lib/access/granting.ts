import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Member } from '#lib/domain/access/member.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { permissionDenied } from '#lib/http/errors.ts';
import { lacksPermission } from '#lib/http/permissions.ts';

type Permissions = readonly Permission[];

/**
 * A caller cannot grant a permission that it lacks (lib/spec/additions.md section 2, granting).
 * @param whole whether the caller also needs the previous permissions. It does if the change activates them or gives
 * them to another person
 * @throws 403 that names the first missing permission
 */
export function requireGrantable(
  principal: Pick<Principal, 'permissions' | 'member'>,
  {
    before = [],
    after,
    isNewCredential: requiresPrevious = false,
  }: { before?: Permissions | undefined; after: Permissions; isNewCredential?: boolean },
): void {
  const granted = effectivePermissions(principal);
  const had = new Set(requiresPrevious ? [] : before);
  const missing = after.find((permission) => !had.has(permission) && !granted.has(permission));
  if (missing === undefined) return;
  throw permissionDenied(`You cannot grant a permission that you do not have: ${missing}.`);
}

/**
 * The secret of a key lets its holder speak as the key's member. So the secret of another member's key is given only to
 * a caller who could also sign in as the member: by another e-mail address (lib/spec/additions.md section 6).
 * @throws 403 that names the first missing permission
 */
export function requireMaySpeakAs(principal: Principal, member: Pick<Member, 'id' | 'permissions'>): void {
  if (isOneself(principal, member.id)) return;
  if (!effectivePermissions(principal).has('access:member:manage')) {
    throw lacksPermission('access:member:manage', principal.kind);
  }
  requireGrantable(principal, { after: member.permissions, isNewCredential: true });
}

export const isOneself = ({ member }: Pick<Principal, 'member'>, memberId: string): boolean => member?.id === memberId;
