import type { AuditEvent } from '#lib/client/types.ts';
import { startOfDay, startOfNextDay } from '../../data/days.ts';

/** The actions of events. */
export const actions = [
  'create',
  'update',
  'delete',
  'restore',
  'rotate',
  'invite',
  'signIn',
  'import',
] as const satisfies readonly AuditEvent['action'][];

/** The parameters in the URL: two days in the browser's time zone, and parameters that are passed to the list. */
export const filterNames = ['recordKind', 'recordId', 'actorId', 'action', 'since', 'until'] as const;

/** The parameters of the list. Both days are included: `until` is the beginning of the next day. */
export function eventQuery(search: URLSearchParams): Readonly<Record<string, string | undefined>> {
  const parameter = (name: (typeof filterNames)[number]) => search.get(name)?.trim() || undefined;
  return {
    recordKind: parameter('recordKind'),
    recordId: parameter('recordId'),
    actorId: parameter('actorId'),
    action: parameter('action'),
    since: startOfDay(parameter('since') ?? '') ?? undefined,
    until: startOfNextDay(parameter('until') ?? '') ?? undefined,
  };
}

const screens: Readonly<Record<string, (id: string) => string>> = {
  'menu-products': (id) => `/menu/products/${encodeURIComponent(id)}`,
  'menu-categories': (id) => `/menu/categories/${encodeURIComponent(id)}`,
  'cms-models': (id) => `/content/databases/edit/${encodeURIComponent(id)}`,
  'cms-entries': (id) => {
    const [modelId = '', entryId = ''] = id.split('/');
    return `/content/entries/${encodeURIComponent(modelId)}/edit/${encodeURIComponent(entryId)}`;
  },
  conversations: (id) => `/inbox/${encodeURIComponent(id)}`,
  'api-keys': (id) => `/access/keys/${encodeURIComponent(id)}`,
  members: (id) => `/access/members/${encodeURIComponent(id)}`,
  workspace: () => '/settings',
};

/** The screen of a record; undefined for a deleted record, or without a screen. */
export const screenOf = (event: {
  readonly recordKind: string;
  readonly recordId: string;
  readonly action: string;
}): string | undefined =>
  event.action !== 'delete' && Object.hasOwn(screens, event.recordKind)
    ? screens[event.recordKind]?.(event.recordId)
    : undefined;
