import type { Permission } from '#lib/domain/access/permission.ts';

export type GroupName = 'menu' | 'content' | 'forms' | 'inbox' | 'settings' | 'access';

/** All permissions as the area shows them: groups in the order of the navigation, reading first. */
export const permissionGroups: Readonly<Record<GroupName, readonly Permission[]>> = {
  menu: [
    'menu:product:read',
    'menu:product:read-unpublished',
    'menu:product:availability',
    'menu:product:manage',
    'menu:category:read',
    'menu:category:manage',
  ],
  content: [
    'cms:entry:read',
    'cms:entry:read-hidden',
    'cms:entry:read-unpublished',
    'cms:entry:create',
    'cms:entry:update',
    'cms:entry:delete',
    'cms:model:read',
    'cms:model:manage',
  ],
  forms: [
    'forms:form:read',
    'forms:form:manage',
    'forms:response:create',
    'forms:response:read',
    'forms:response:delete',
  ],
  inbox: [
    'messaging:conversation:read',
    'messaging:conversation:engage',
    'messaging:customer:read',
    'messaging:customer:manage',
    'messaging:agent:read',
    'messaging:agent:manage',
    'messaging:channel:read',
    'messaging:channel:manage',
    'notifications:notification:read',
    'notifications:notification:update',
  ],
  settings: ['workspace:settings:read', 'workspace:settings:update'],
  access: [
    'access:key:read',
    'access:key:manage',
    'access:member:read',
    'access:member:manage',
    'audit:event:read',
    'events:event:read',
    'webhooks:webhook:read',
    'webhooks:webhook:manage',
  ],
};

export const groupNames = Object.keys(permissionGroups) as GroupName[];

/** In the order of the groups, without duplicates. */
export const allPermissions: readonly Permission[] = groupNames.flatMap((name) => permissionGroups[name]);
