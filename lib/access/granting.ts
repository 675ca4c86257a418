import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { permissionDenied } from '#lib/http/errors.ts';

type Permissions = readonly Permission[];

/**
 * Nobody gives a permission that they do not have themselves (lib/spec/additions.md section 2, granting).
 * @param whole also what was there before has to be the caller's: the change brings all of it to life, or into other hands
 * @throws 403 that names the first permission that is missing
 */
export function requireGrantable(
  principal: Pick<Principal, 'permissions' | 'member'>,
  { before = [], after, whole = false }: { before?: Permissions | undefined; after: Permissions; whole?: boolean },
): void {
  const granted = effectivePermissions(principal);
  const had = new Set(whole ? [] : before);
  const missing = after.find((permission) => !had.has(permission) && !granted.has(permission));
  if (missing === undefined) return;
  throw permissionDenied(`Nobody gives a permission that they lack: you lack the permission ${missing}.`);
}
