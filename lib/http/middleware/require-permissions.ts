import type { Permission } from '#lib/domain/permission.ts';
import type { Endpoint } from '../endpoint.ts';
import { HttpError, permissionDenied } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';

type Needs = Pick<Endpoint, 'permissions' | 'permissionsNeeded'>;

/**
 * Holds the key against the permissions of the declaration; on a messaging route also the member it belongs to, who
 * needs one and the same permission as the key (lib/spec/decisions.md section 2).
 * @throws 403 that names what is lacking: of the key first, then the member, then the member's permission
 */
export const requirePermissions = (needs: Needs) => ({
  before: ({ event: { exchange } }: { event: ApiEvent }) => {
    const { permissions: ofKey = new Set<Permission>(), member } = exchange.principal ?? {};
    const missing = missingOf(needs, needs.permissions, ofKey);
    if (missing) throw lacksPermission(missing);
    if (!needs.permissions.some((permission) => permission.startsWith('messaging:'))) return;
    if (!member) throw new HttpError(403, 'member_required', 'This API key belongs to no workspace member.');
    const granted = needs.permissions.filter((permission) => ofKey.has(permission));
    const missingToMember = missingOf(needs, granted, member.permissions);
    if (missingToMember) throw permissionDenied(`The member of this API key lacks the permission ${missingToMember}.`);
  },
});

/** @returns in words which of the wanted permissions is lacking, if the others are not enough */
function missingOf(
  { permissionsNeeded = 'all' }: Needs,
  wanted: readonly Permission[],
  granted: ReadonlySet<Permission>,
): string | undefined {
  const missing = wanted.filter((permission) => !granted.has(permission));
  if (permissionsNeeded === 'all') return missing[0];
  return missing.length === wanted.length ? missing.join(' or ') : undefined;
}

export const lacksPermission = (permission: string) =>
  permissionDenied(`This API key lacks the permission ${permission}.`);
