import { Permission } from '#lib/domain/access/permission.ts';
import { type Kitchen, openKitchen } from './kitchen.ts';

/** A kitchen with keys that manage access. */
export interface AccessKitchen extends Kitchen {
  /** A key with every permission. */
  readonly admin: string;
  /** A key that manages keys and members, with `cms:entry:read` as its only other permission. */
  readonly clerk: string;
  /** A key of the member `mem_boss`. Member and key have every permission. */
  readonly boss: string;
  /** A key of the member `mem_2nd`, the other manager, with every permission on the key. */
  readonly second: string;
}

const clerkPermissions = [
  'access:key:read',
  'access:key:manage',
  'access:member:read',
  'access:member:manage',
  'cms:entry:read',
];

export async function openAccess(): Promise<AccessKitchen> {
  const all = [...Permission.options];
  const kitchen = await openKitchen((document) => {
    const { id } = document.workspace;
    const key = (name: string, rest: object) => ({ id: `key_${name}`, name, secret: `${name}-${id}`, ...rest });
    document.members.push(
      { id: 'mem_boss', name: 'Boss', email: 'boss@example.com', permissions: all },
      { id: 'mem_2nd', name: 'Second', email: 'second@example.com', permissions: clerkPermissions },
    );
    document.apiKeys.push(
      key('admin', { permissions: all }),
      key('clerk', { permissions: clerkPermissions }),
      key('boss', { permissions: all, memberId: 'mem_boss' }),
      key('second', { permissions: all, memberId: 'mem_2nd' }),
    );
  });
  const secret = (name: string) => `${name}-${kitchen.workspaceId}`;
  return { ...kitchen, admin: secret('admin'), clerk: secret('clerk'), boss: secret('boss'), second: secret('second') };
}
