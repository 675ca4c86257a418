import * as z from 'zod/mini';

/** The permissions of keys and members (lib/spec/decisions.md section 2). */
export const Permission = z.enum([
  'cms:entry:read',
  'cms:entry:read-hidden',
  'cms:entry:update',
  'menu:product:read',
  'menu:product:read-unpublished',
  'menu:category:read',
  'forms:form:read',
  'forms:response:create',
  'messaging:conversation:read',
  'messaging:conversation:engage',
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
export const Permissions = z.array(Permission).check(z.maxLength(100, 'Must be at most 100 permissions.'));
