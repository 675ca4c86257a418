import type { Permission } from '#lib/domain/permission.ts';
import type { Endpoint } from '../endpoint.ts';
import { permissionDenied } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';

/** @throws 403 that names the first permission the key lacks */
export const requirePermissions = ({ permissions }: Pick<Endpoint, 'permissions'>) => ({
  before: ({ event }: { event: ApiEvent }) => {
    const missing = permissions.find((permission) => !event.exchange.principal?.permissions.has(permission));
    if (missing) throw lacksPermission(missing);
  },
});

export const lacksPermission = (permission: Permission) =>
  permissionDenied(`This API key lacks the permission ${permission}.`);
