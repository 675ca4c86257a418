import type { Permission } from '../access/permission.ts';

/** The operations on the records of a kind. Each has a separate function. */
export type Verb = 'list' | 'get' | 'create' | 'replace' | 'update' | 'delete';

/** The permissions that a call needs. */
export interface RequiredPermissions {
  readonly permissions: readonly Permission[];
  /** @default all */
  readonly permissionsNeeded?: 'all' | 'any';
}

/** A kind of records with management endpoints. */
export interface ManagedKind {
  /** The name of one record in messages, in lower case and without an article. */
  readonly noun: string;
  /** The path of a record's id. @default {id} */
  readonly idPath?: '{modelId}/{id}';
  /** An absent verb is answered with 405. */
  readonly verbs: Readonly<Partial<Record<Verb, RequiredPermissions>>>;
}

/** A write that answers with a record also needs the permission to read it (lib/spec/additions.md section 2, verbs). */
function crud(read: Permission, write: Permission): ManagedKind['verbs'] {
  const reading = { permissions: [read] };
  const writing = { permissions: [...new Set([read, write])] };
  return {
    list: reading,
    get: reading,
    create: writing,
    replace: writing,
    update: writing,
    delete: { permissions: [write] },
  };
}

const reads = (permission: Permission): Pick<ManagedKind['verbs'], 'list' | 'get'> => ({
  list: { permissions: [permission] },
  get: { permissions: [permission] },
});

/** Kitchen staff and points of sale may read products and change their availability. */
const orAvailability: RequiredPermissions = {
  permissions: ['menu:product:manage', 'menu:product:availability'],
  permissionsNeeded: 'any',
};

/**
 * All kinds by their names in paths, with the permissions of their verbs (lib/spec/additions.md section 2). Routes,
 * checks and the API description are made from them; lib/manage/README.md explains how to add a kind.
 */
export const managedKinds = {
  // A workspace is a single record with separate functions.
  workspace: { noun: 'workspace', verbs: {} },
  'cms-models': { noun: 'CMS database', verbs: crud('cms:model:read', 'cms:model:manage') },
  'cms-entries': {
    noun: 'CMS entry',
    idPath: '{modelId}/{id}',
    verbs: {
      ...crud('cms:entry:read', 'cms:entry:create'),
      // Both, because the required permissions must not reveal whether an entry exists.
      replace: { permissions: ['cms:entry:read', 'cms:entry:create', 'cms:entry:update'] },
      update: { permissions: ['cms:entry:read', 'cms:entry:update'] },
      delete: { permissions: ['cms:entry:delete'] },
    },
  },
  'menu-categories': { noun: 'menu category', verbs: crud('menu:category:manage', 'menu:category:manage') },
  'menu-products': {
    noun: 'menu product',
    verbs: {
      ...crud('menu:product:manage', 'menu:product:manage'),
      list: orAvailability,
      get: orAvailability,
      update: orAvailability,
    },
  },
  forms: { noun: 'form', verbs: crud('forms:form:manage', 'forms:form:manage') },
  'form-responses': {
    noun: 'form response',
    verbs: { ...reads('forms:response:read'), delete: { permissions: ['forms:response:delete'] } },
  },
  notifications: {
    noun: 'notification',
    verbs: {
      ...reads('notifications:notification:read'),
      update: { permissions: ['notifications:notification:read', 'notifications:notification:update'] },
    },
  },
  attachments: {
    noun: 'attachment',
    verbs: {
      ...reads('messaging:conversation:read'),
      delete: { permissions: ['messaging:conversation:engage'] },
    },
  },
  agents: { noun: 'agent', verbs: crud('messaging:agent:read', 'messaging:agent:manage') },
  channels: { noun: 'channel', verbs: crud('messaging:channel:read', 'messaging:channel:manage') },
  customers: { noun: 'customer', verbs: crud('messaging:customer:read', 'messaging:customer:manage') },
} as const satisfies Readonly<Record<string, ManagedKind>>;

/** A read-only kind with separate functions. */
export const readOnlyKind = 'audit-events';

export type ManagedKindName = keyof typeof managedKinds;

/** The row of a kind, without literal types. */
export const managedKind = (name: ManagedKindName): ManagedKind => managedKinds[name];

export const isManagedKind = (name: string): name is ManagedKindName => Object.hasOwn(managedKinds, name);

const methods: Readonly<Record<Verb, string>> = {
  list: 'GET',
  create: 'POST',
  get: 'GET',
  replace: 'PUT',
  update: 'PATCH',
  delete: 'DELETE',
};
const ofCollections: ReadonlySet<Verb> = new Set(['list', 'create']);

/** The methods of a kind on the path of its list, or of one record. */
export const methodsOf = ({ verbs }: ManagedKind, of: 'collection' | 'record'): string[] =>
  (Object.keys(verbs) as Verb[])
    .filter((verb) => ofCollections.has(verb) === (of === 'collection'))
    .map((verb) => methods[verb]);
