import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { permissionDenied } from '#lib/http/errors.ts';

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
