import type * as z from 'zod/mini';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { EventAction } from '#lib/domain/events/happened.ts';
import type { JsonObject } from '#lib/domain/input.ts';

/** The operations on the records of a kind. Each has a separate function. */
export type Verb = 'list' | 'get' | 'create' | 'replace' | 'update' | 'delete';

export interface RequiredPermissions {
  readonly permissions: readonly Permission[];
  /** @default all */
  readonly permissionsNeeded?: 'all' | 'any';
}

/** A member with the id of another record. */
export interface Reference {
  /** `a.b` or `a[].b`, where `[]` means every item. */
  readonly path: string;
  /** The kind of the record; undefined for none. */
  readonly to: string | ((record: JsonObject) => string | undefined);
  /** The name of one such record in messages. @default the words of the kind, such as `menu product` */
  readonly noun?: string;
  /** A missing record is a warning, not a failure. */
  readonly mayBeAbsent?: boolean;
  /** A missing record is a warning in an export, because an import can remove the record and leave this one. */
  readonly mayBeRemoved?: boolean;
}

/** The endpoints of a kind under `/api/v1/manage/{path}`. */
export interface Managed {
  /** The kind in addresses, in audit events and in the client (there in camel case). */
  readonly path: string;
  /** The name of one record in messages, in lower case and without an article. */
  readonly noun: string;
  /** The path of a record's id. @default {id} */
  readonly idPath?: '{modelId}/{id}';
  /** An absent verb is answered with 405. */
  readonly verbs: Readonly<Partial<Record<Verb, RequiredPermissions>>>;
  /** All of its functions have literal paths, because they need other rights than those of all kinds. */
  readonly hasOwnFunctions?: true;
  /** Its records have versions, and can be restored (lib/table/history). */
  readonly hasHistory?: true;
  /** Stands before the random part of a new record's id. */
  readonly idPrefix: string;
  /** The order of its list: by name, title or identifier, or by `createdAt`. @default name */
  readonly order?: 'name' | 'newest';
  /** The members whose texts `q` searches. @default id and name */
  readonly searched?: readonly string[];
  readonly listParameters?: Readonly<Record<string, ListParameter>>;
  /** The record in bodies and in answers, where it has other members than in documents. */
  readonly input?: z.ZodMiniType;
  /** The answer to POST, with a secret that no other answer has. So bulk requests cannot write the kind. */
  readonly issued?: z.ZodMiniType;
  readonly view?: z.ZodMiniType;
  /** Answers also depend on other stored data than the record and the languages of the workspace: no 304. */
  readonly isNeverUnchanged?: true;
  /** What the record is, for the API description: in answers, and in bodies if it can be created. @default by its noun */
  readonly words?: { readonly record?: string; readonly input?: string };
  /** The name of one record in the console. */
  readonly label: { readonly en: string; readonly ar: string };
}

export interface ListParameter {
  readonly schema: z.ZodMiniType;
  /** A sentence for the API description. */
  readonly text: string;
  /** Whether a list with this value has a record. @default whether the member of the same name is equal */
  readonly matches?: (record: JsonObject, value: unknown) => boolean;
}

export interface EventRules {
  /** The kind in addresses. */
  readonly path: string;
  /** What can happen to a record. */
  readonly actions: readonly EventAction[];
  /** A key or member sees the events with one of these permissions. */
  readonly read: readonly Permission[];
  /** The permission to see the events of drafts, too. */
  readonly drafts?: Permission;
  /** Whether the permission counts on the key alone, not on its member. */
  readonly ofKeyAlone?: true;
}

/** Everything that is the same for all parts of the service about a kind of records. */
export interface KindDeclaration {
  /** The path of the records in a `.json` document. Absent for kinds that are in no document. */
  readonly documentPath?: readonly [string] | readonly [string, string];
  /** The record in documents. Time stamps may be missing; the import fills them. */
  readonly schema: z.ZodMiniObject;
  readonly unique?: 'slug' | 'identifier' | 's3Key' | 'email';
  /** The paths of localized texts. */
  readonly localized?: readonly string[];
  /** Its member `language` is a language of texts. */
  readonly hasLanguage?: true;
  readonly references?: readonly Reference[];
  /** Absent for kinds without management endpoints. */
  readonly managed?: Managed;
  /** Absent for kinds whose changes are no events. */
  readonly events?: EventRules;
}

/** Declares a kind. declared-kinds.ts lists all of them; README.md explains how to add one. */
export const defineKind = <const Kind extends KindDeclaration>(kind: Kind): Kind => kind;

/** A write that answers with a record also needs the permission to read it (lib/spec/additions.md section 2, verbs). */
export function crud(read: Permission, write: Permission): Managed['verbs'] {
  const writing = { permissions: [...new Set([read, write])] };
  return {
    ...reads(read),
    create: writing,
    replace: writing,
    update: writing,
    delete: { permissions: [write] },
  };
}

export const reads = (permission: Permission): Pick<Managed['verbs'], 'list' | 'get'> => ({
  list: { permissions: [permission] },
  get: { permissions: [permission] },
});

/** What can happen to a record of most kinds. */
export const edits = ['created', 'updated', 'deleted'] as const satisfies readonly EventAction[];

/** The stamps that a document may leave out. */
export const created = { createdAt: true } as const;
export const createdAndUpdated = { createdAt: true, updatedAt: true } as const;
