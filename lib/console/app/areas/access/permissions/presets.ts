import type { Permission } from '#lib/domain/access/permission.ts';
import { allPermissions, permissionGroups } from './groups.ts';

export type KeyPresetName = 'website' | 'screens' | 'chat' | 'publishing' | 'everything';
export type MemberPresetName = 'owner' | 'editor' | 'kitchen' | 'desk';

const { menu, content, forms, inbox, settings } = permissionGroups;

const website: readonly Permission[] = [
  'cms:entry:read',
  'menu:product:read',
  'menu:category:read',
  'forms:form:read',
  'forms:response:create',
];

/** The usual purposes of keys. A key without a list gets the first one. */
export const keyPresets: Readonly<Record<KeyPresetName, readonly Permission[]>> = {
  website,
  screens: ['menu:product:read', 'menu:category:read', 'menu:product:availability'],
  chat: [...website, 'messaging:conversation:read', 'messaging:conversation:engage'],
  publishing: [...content, ...menu],
  everything: allPermissions,
};

/** The usual roles of members. */
export const memberPresets: Readonly<Record<MemberPresetName, readonly Permission[]>> = {
  owner: allPermissions,
  editor: [...menu, ...content, ...forms, ...settings.slice(0, 1)],
  kitchen: ['menu:product:read', 'menu:category:read', 'menu:product:availability'],
  desk: [
    ...inbox.filter((permission) => permission.endsWith(':read') || !permission.endsWith(':manage')),
    'menu:product:read',
    'menu:product:availability',
    'forms:form:read',
    'forms:response:read',
  ],
};

/** The preset with exactly these permissions, in any order; undefined without one. */
export function presetOf<Name extends string>(
  presets: Readonly<Record<Name, readonly Permission[]>>,
  permissions: readonly string[],
): Name | undefined {
  const own = new Set(permissions);
  return (Object.keys(presets) as Name[]).find(
    (name) => presets[name].length === own.size && presets[name].every((permission) => own.has(permission)),
  );
}

/** The permissions of a choice that a member may grant: their own, and those granted already. */
export const grantable = (
  chosen: readonly Permission[],
  own: readonly string[],
  present: readonly string[],
): Permission[] => chosen.filter((permission) => own.includes(permission) || present.includes(permission));

/** Adds or removes one permission; the order is that of the groups. */
export function withPermission(
  permissions: readonly string[],
  permission: Permission,
  isWanted: boolean,
): Permission[] {
  const wanted = new Set([...permissions, permission]);
  if (!isWanted) wanted.delete(permission);
  return allPermissions.filter((permission) => wanted.has(permission));
}
