import type { Permission } from '#lib/domain/access/permission.ts';
import type { Issue } from '#lib/domain/input.ts';
import type { Referrer } from '#lib/domain/referrer.ts';
import { HttpError } from '#lib/http/errors.ts';
import type { RequiredPermissions } from '#lib/kinds/define-kind.ts';
import { managed } from '#lib/kinds/kinds.ts';

export const namedRecordsMax = 20;

/** @param noun names the record, in lower case @param referrers as far as they are known */
export const inUse = (noun: string, referrers: readonly Referrer[], granted: ReadonlySet<Permission>): HttpError =>
  inUseBy(referrers, granted, `This ${noun} is in use`, `Must not refer to this ${noun}.`);

/** The 409 names only records that the caller may see, and says whether there are others. */
export function inUseBy(
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
  const errors = named.map(
    ({ kind, id }): Issue => ({ path: `${readingOf(kind).path}/${id}`, code: 'in_use', message }),
  );
  return new HttpError(409, 'in_use', `${reason}. Change or delete ${parts.join(' and ')} first.`, { errors });
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
