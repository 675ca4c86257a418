import type { CmsSchema } from '../cms/cms-schema.ts';
import type { RecordKind } from '../keys.ts';
import type { LoggedRecord } from '../log/change-log.ts';
import type { Key, Table, Writes } from '../table.ts';
import type { removalOf, WriteVerb } from './removal.ts';

/** The kinds of records that `applyChange` writes. Messages have a writer of their own. */
export type WrittenKind = Exclude<RecordKind, 'message'> | 'workspace' | 'cmsEntry';

/** A record of a workspace document. A time stamp of its kind that is missing is undefined. */
export interface WrittenRecord {
  readonly id: string;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** Names a record. */
export interface RecordAddress {
  readonly kind: WrittenKind;
  readonly id: string;
  /** The database of an entry. */
  readonly modelId?: string;
}

/**
 * A change of one record. The new record depends on the stored one: `decide` makes it, null to remove the record, and
 * runs again if the record has changed in the meantime. It validates like an import. If it throws, the change is refused.
 */
export interface DecidedChange extends RecordAddress {
  readonly decide: (stored: StoredRecord, reads: Table) => Promise<WrittenRecord | null>;
  /** Guards the references of others to the record. Absent where there can be none, and in imports, which guard them. */
  readonly verb?: WriteVerb | undefined;
}

/** A change that is decided. */
export interface RecordChange extends RecordAddress {
  /** The whole new record; null to remove it. */
  readonly record: WrittenRecord | null;
}

export interface AppliedChange {
  readonly status: 'created' | 'replaced' | 'removed' | 'unchanged';
  readonly before: object | undefined;
  readonly after: object | undefined;
  /** The strong ETag of the record after the change, without quotes. */
  readonly etag: string | undefined;
}

/** The revisions of a record's item before and after a change. An import may have written the former without one. */
export interface Revisions {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface WriteContext {
  /** The time of the write, ISO 8601. It becomes a time stamp that the record lacks. */
  readonly now: string;
  /** The CMS databases. Only a change of an entry needs them. */
  readonly schema?: CmsSchema;
  /** The address of the member who makes the change, for a person who has to accept a membership. */
  readonly invitedBy?: string | undefined;
  /** Whether the change may be made while an import of the workspace runs. The import keeps it, or makes its own again. */
  readonly mayMeetImport?: boolean;
  /** Whether an import makes the change. It is no edit, and has no limits. */
  readonly isImport?: boolean;
  /** Further writes of the transaction, such as an audit event. They are made from the result of the change. */
  readonly additionalWrites?: (applied: AppliedChange, revisions: Revisions) => Writes | Promise<Writes>;
}

/** The input of every step of a change. */
export interface WriteScope {
  readonly table: Table;
  readonly workspaceId: string;
  readonly context: WriteContext;
}

export interface StoredRecord<Item = unknown> {
  readonly record: object | undefined;
  readonly etag: string | undefined;
  /** Of the record's item. */
  readonly revision?: string | undefined;
  /** Further data that the rules of the kind have read. */
  readonly item: Item;
}

/** The writes of a change and its result. */
export interface Plan {
  readonly applied: AppliedChange;
  /** A random id of this change, stored as `revision` of the record's item. */
  readonly revision: string;
  readonly writes: Writes;
  /** Writes that do not fit into the transaction. They are made before it. */
  readonly first?: readonly Writes[];
  /** What the log says of the change. */
  readonly logged: readonly LoggedRecord[];
}

/** The steps of a change that differ by kind. */
export interface StorageRules<Item> {
  /** The items that a record has under its id alone. */
  readonly ownKeys: (workspaceId: string, address: RecordAddress) => readonly Key[];
  /** Of kinds whose records others may refer to. */
  readonly removalOf?: typeof removalOf;
  /** Further items that the plan reads (first-reads.ts). */
  readonly guards?: (workspaceId: string, id: string) => readonly Key[];
  /** Reads everything that the plan depends on, usually in one round trip. */
  readonly read: (scope: WriteScope, address: RecordAddress) => Promise<StoredRecord<Item>>;
  /** @returns undefined if the change changes nothing @throws ChangeRefused */
  plan(
    scope: WriteScope,
    change: RecordChange,
    stored: StoredRecord<Item>,
  ): Plan | undefined | Promise<Plan | undefined>;
}
