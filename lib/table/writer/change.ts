import type { CmsSchema } from '../cms/cms-schema.ts';
import type { AffectedCollection } from '../collection/announced-change.ts';
import type { CollectionScope } from '../collection/head.ts';
import type { LoggedRecord } from '../collection/log.ts';
import type { RecordKind } from '../keys.ts';
import type { Table, Writes } from '../table.ts';

/** The kinds of records that `applyChange` writes. ApiKeyRecords writes keys and members. */
export type WrittenKind = StampedKind | 'workspace' | 'cmsModel';

/** Those that may have time stamps. */
export type StampedKind = Exclude<RecordKind, 'member' | 'apiKey'> | 'cmsEntry';

/** A record as a document has it; time stamps may be missing. */
export interface WrittenRecord {
  readonly id: string;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** One change of one record, which was checked like a record of a document. */
export interface RecordChange {
  readonly kind: WrittenKind;
  readonly id: string;
  /** The database of an entry. */
  readonly modelId?: string;
  /** The whole new record; null to remove it. */
  readonly record: WrittenRecord | null;
  /** Conditions on the stored record. */
  readonly condition?: { readonly etag: string } | { readonly is: 'new' | 'stored' } | undefined;
}

/**
 * A change whose record depends on the stored one. `decide` runs in parallel with the announcement, and again if the
 * record has changed meanwhile. An error refuses the change.
 */
export interface DecidedChange extends Omit<RecordChange, 'record' | 'condition'> {
  readonly decide: (stored: Pick<StoredRecord, 'record' | 'etag'>, reads: Table) => Promise<WrittenRecord | null>;
}

/** The result of a change. */
export interface AppliedChange {
  readonly status: 'created' | 'replaced' | 'removed' | 'unchanged';
  readonly before: object | undefined;
  readonly after: object | undefined;
  /** The strong ETag of the record after the change, without quotes. */
  readonly etag: string | undefined;
}

export interface WriteContext {
  /** The time of the write, for time stamps that the record does not have. */
  readonly now: string;
  /** The CMS databases; only a change of an entry needs them. */
  readonly schema?: CmsSchema;
  /** Whether other writers of the same collection are at work now, as the changes of one request are. */
  readonly isAmongOthers?: boolean;
  /** Further writes of the transaction, such as an audit event, made from the result of the change. */
  readonly extra?: (applied: AppliedChange) => Writes;
}

/**
 * The reason why a change was refused; readers see nothing of it. `orphaned`: a parent is being removed. `in_use`: the
 * database has entries. `use_import`: the change would rewrite more rows than one request can.
 */
export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused';
  readonly reason: 'exists' | 'missing' | 'changed' | 'duplicate' | 'orphaned' | 'in_use' | 'use_import';

  constructor(reason: ChangeRefused['reason']) {
    super(`The change was refused: ${reason}.`);
    this.reason = reason;
  }
}

/** Context of a change. */
export interface WriteScope {
  readonly table: Table;
  readonly workspaceId: string;
  readonly context: WriteContext;
}

/** A record as it is stored. */
export interface StoredRecord<Item = unknown> {
  readonly record: object | undefined;
  readonly etag: string | undefined;
  /** Further input of the kind's rules. */
  readonly item: Item;
}

/** The writes of a change. */
export interface Plan {
  readonly applied: AppliedChange;
  /** The id of this write. The record's item has it as `revision`. */
  readonly revision: string;
  readonly writes: Writes;
  /** @param meetsImport whether an interrupted import may have left records that no list has */
  readonly logged: (scope: CollectionScope, meetsImport: boolean) => readonly LoggedRecord[];
  /** Removes what was stored in preparation. Called if the writes were certainly not carried out. */
  readonly withdraw?: () => Promise<void>;
}

/** Rules of the kinds that are stored alike. */
export interface Rules<Item> {
  /** The collections whose rows the change may change. */
  readonly affectedCollections: (scope: WriteScope, change: RecordChange) => readonly AffectedCollection[];
  /** Reads everything that the plan depends on, usually in one round trip. */
  readonly read: (scope: WriteScope, change: RecordChange) => Promise<StoredRecord<Item>>;
  /** @returns undefined if the change changes nothing @throws ChangeRefused */
  readonly plan: (
    scope: WriteScope,
    change: RecordChange,
    stored: StoredRecord<Item>,
  ) => Plan | undefined | Promise<Plan | undefined>;
}
