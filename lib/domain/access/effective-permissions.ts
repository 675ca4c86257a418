import type { Permission } from './permission.ts';
import type { Principal } from './principal.ts';

/** The key of a member has only what the active member also has (lib/spec/additions.md section 2, callers). */
export const effectivePermissions = ({
  permissions,
  member,
}: Pick<Principal, 'permissions' | 'member'>): ReadonlySet<Permission> =>
  member ? new Set([...permissions].filter((permission) => member.permissions.has(permission))) : permissions;
