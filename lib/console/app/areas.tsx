import type { ComponentType, LazyExoticComponent } from 'react';
import type { Permission } from '#lib/domain/access/permission.ts';
import { areaCode } from './area-code.ts';

type AreaName = 'overview' | 'menu' | 'content' | 'forms' | 'inbox' | 'access' | 'activity' | 'settings';

/** One link of the navigation. */
export interface AreaEntry {
  readonly name: AreaName;
  /** The area needs one of these permissions; an empty list shows it to all members. */
  readonly permissions: readonly Permission[];
  readonly code: () => LazyExoticComponent<ComponentType>;
}

/** In the order of the navigation. The address of an area is `#/<name>`; its code is loaded when it is opened. */
export const areas: readonly AreaEntry[] = [
  {
    name: 'overview',
    permissions: [],
    code: areaCode(() => import('./areas/overview/area.tsx')),
  },
  {
    name: 'menu',
    permissions: ['menu:product:manage', 'menu:product:availability', 'menu:category:manage'],
    code: areaCode(() => import('./areas/menu/area.tsx')),
  },
  {
    name: 'content',
    permissions: ['cms:model:read', 'cms:entry:read'],
    code: areaCode(() => import('./areas/content/area.tsx')),
  },
  {
    name: 'forms',
    permissions: ['forms:form:manage', 'forms:response:read'],
    code: areaCode(() => import('./areas/forms/area.tsx')),
  },
  {
    name: 'inbox',
    permissions: ['messaging:conversation:read'],
    code: areaCode(() => import('./areas/inbox/area.tsx')),
  },
  {
    name: 'access',
    permissions: ['access:key:read', 'access:member:read'],
    code: areaCode(() => import('./areas/access/area.tsx')),
  },
  {
    name: 'activity',
    permissions: ['audit:event:read'],
    code: areaCode(() => import('./areas/activity/area.tsx')),
  },
  {
    name: 'settings',
    permissions: [],
    code: areaCode(() => import('./areas/settings/area.tsx')),
  },
];
