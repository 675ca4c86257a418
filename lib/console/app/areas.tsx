import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Permission } from '#lib/domain/access/permission.ts';

type AreaName = 'overview' | 'menu' | 'content' | 'forms' | 'inbox' | 'access' | 'activity' | 'settings';

/** One link of the navigation. */
export interface AreaEntry {
  readonly name: AreaName;
  /** The area is shown with one of these; without any it is shown to everybody. */
  readonly permissions: readonly Permission[];
  readonly Area: LazyExoticComponent<ComponentType>;
}

/** In the order of the navigation. The address of an area is `#/<name>`; its code is loaded when it is opened. */
export const areas: readonly AreaEntry[] = [
  {
    name: 'overview',
    permissions: [],
    Area: lazy(() => import('./areas/overview/area.tsx').then(({ Area }) => ({ default: Area }))),
  },
  {
    name: 'menu',
    permissions: ['menu:product:manage', 'menu:product:availability', 'menu:category:manage'],
    Area: lazy(() => import('./areas/menu/area.tsx').then(({ Area }) => ({ default: Area }))),
  },
  {
    name: 'content',
    permissions: ['cms:model:read', 'cms:entry:read'],
    Area: lazy(() => import('./areas/content/area.tsx').then(({ Area }) => ({ default: Area }))),
  },
  {
    name: 'forms',
    permissions: ['forms:form:manage', 'forms:response:read'],
    Area: lazy(() => import('./areas/forms/area.tsx').then(({ Area }) => ({ default: Area }))),
  },
  {
    name: 'inbox',
    permissions: ['messaging:conversation:read'],
    Area: lazy(() => import('./areas/inbox/area.tsx').then(({ Area }) => ({ default: Area }))),
  },
  {
    name: 'access',
    permissions: ['access:key:read', 'access:member:read'],
    Area: lazy(() => import('./areas/access/area.tsx').then(({ Area }) => ({ default: Area }))),
  },
  {
    name: 'activity',
    permissions: ['audit:event:read'],
    Area: lazy(() => import('./areas/activity/area.tsx').then(({ Area }) => ({ default: Area }))),
  },
  {
    name: 'settings',
    permissions: [],
    Area: lazy(() => import('./areas/settings/area.tsx').then(({ Area }) => ({ default: Area }))),
  },
];
