import * as z from 'zod/mini';

/** Everything a key or a member can be allowed to do (lib/spec/decisions.md section 2). */
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

/** What a key is granted when it is created without a list. */
export const defaultPermissions: readonly Permission[] = [
  'cms:entry:read',
  'menu:product:read',
  'menu:category:read',
  'forms:form:read',
  'forms:response:create',
];

/** What a key or a member may do; copied onto the item that a secret is looked up by, which has to stay small. */
export const Permissions = z.array(Permission).check(z.maxLength(100, 'Must be at most 100 permissions.'));
