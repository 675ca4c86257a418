import * as z from 'zod/mini';
import { unique } from '../schema-rules.ts';

/** The permissions of keys and members (lib/spec/decisions.md section 2). */
export const Permission = z.enum([
  'cms:entry:read',
  'cms:entry:read-hidden',
  'cms:entry:read-unpublished',
  'cms:entry:create',
  'cms:entry:update',
  'cms:entry:delete',
  'cms:model:read',
  'cms:model:manage',
  'menu:product:read',
  'menu:product:read-unpublished',
  'menu:product:availability',
  'menu:product:manage',
  'menu:category:read',
  'menu:category:manage',
  'forms:form:read',
  'forms:form:manage',
  'forms:response:create',
  'forms:response:read',
  'forms:response:delete',
  'messaging:conversation:read',
  'messaging:conversation:engage',
  'messaging:agent:read',
  'messaging:agent:manage',
  'messaging:channel:read',
  'messaging:channel:manage',
  'messaging:customer:read',
  'messaging:customer:manage',
  'notifications:notification:read',
  'notifications:notification:update',
  'workspace:settings:read',
  'workspace:settings:update',
  'access:member:read',
  'access:member:manage',
  'access:key:read',
  'access:key:manage',
  'audit:event:read',
  'events:event:read',
  'webhooks:webhook:read',
  'webhooks:webhook:manage',
]);
export type Permission = z.infer<typeof Permission>;

/** The permissions of a key that is created without a list. */
export const defaultPermissions: readonly Permission[] = [
  'cms:entry:read',
  'menu:product:read',
  'menu:category:read',
  'forms:form:read',
  'forms:response:create',
];

/** Bounded, because permissions are copied onto the key's item, which must stay small. */
export const Permissions = z.array(Permission).check(z.maxLength(100, 'Must be at most 100 permissions.'), unique());
