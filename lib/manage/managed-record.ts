import { randomUUID } from 'node:crypto';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { type JsonObject, textOf } from '#lib/domain/input.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import type { HttpError } from '#lib/http/errors.ts';
import type { Managed } from '#lib/kinds/define-kind.ts';
import type { ManagedKind } from '#lib/kinds/kinds.ts';
import type { CheckedKind, RecordLookup } from '#lib/records/record-lookup.ts';
import type { Table } from '#lib/table/table.ts';
import type { ChangeRefused } from '#lib/table/writer/apply-change.ts';
import type { AppliedChange, StorageRules, WriteContext } from '#lib/table/writer/change.ts';
import type { WriteVerb } from '#lib/table/writer/removal.ts';

/** A management call: its caller, and a table for its duration. */
export interface ManageRequest {
  readonly principal: Principal;
  readonly table: Table;
  /** Those of the kinds that the function serves. */
  readonly rules: KindRules;
  /** Opens the table for longer. */
  readonly tableFor: (milliseconds: number) => Table;
  /** For audit events. */
  readonly requestId: string;
}

export interface Author {
  readonly principal: Pick<Principal, 'workspaceId' | 'actor' | 'member'>;
  /** Null where no request makes it. */
  readonly requestId: string | null;
}

export type Granted = Pick<ReadonlySet<Permission>, 'has'>;

export const everything: Granted = { has: () => true };

export type KindRules = Readonly<Partial<Record<ManagedKind, EditRules>>>;

export function rulesOf({ rules }: Pick<ManageRequest, 'rules'>, kind: ManagedKind): EditRules {
  const own = rules[kind];
  if (!own) throw new Error(`This function does not serve ${kind}.`);
  return own;
}

/** A kind, with its rules in the function. */
interface ServedKind {
  readonly kind: ManagedKind;
  readonly rules: EditRules;
}

/** The kind with this path in addresses, if the function serves it. */
export function servedAt({ rules }: Pick<ManageRequest, 'rules'>, path: string): ServedKind | undefined {
  const served = (Object.entries(rules) as [ManagedKind, EditRules][]).find(([, own]) => own.managed.path === path);
  return served && { kind: served[0], rules: served[1] };
}

/** Kinds without rules of their own. */
export const storedBy = (
  storage: EditRules['storage'],
  kinds: Readonly<Record<string, Pick<EditRules, 'managed' | 'schema'>>>,
): KindRules => Object.fromEntries(Object.entries(kinds).map(([kind, declared]) => [kind, { ...declared, storage }]));

/** A kind with the rules of its reads and writes. */
export interface EditRules extends CheckedKind {
  readonly managed: Managed;
  /** How the table stores its records. */
  readonly storage: StorageRules<unknown>;
  /** Makes the id of a record that is created without one. @default the prefix of the kind, and random digits */
  readonly newId?: (now: Date) => string;
  /** Refuses the removal of a record to which others refer. Absent in functions that remove no records. @throws 409 */
  readonly refuseRemoval?: (request: ManageRequest, id: string) => Promise<void>;
  /**
   * Refuses a change that the caller's permissions do not cover, by the record before and after it. It throws the
   * refusal.
   */
  readonly authorize?: (
    request: ManageRequest,
    before: JsonObject | undefined,
    after: JsonObject,
    write: RecordWrite,
  ) => Promise<void> | void;
  /** The members that a body may repeat, but not change. */
  readonly fixed?: (before: JsonObject | undefined, write: RecordWrite) => JsonObject;
  /** Normalizes a body or a merged record before it is checked. */
  readonly prepare?: (
    record: JsonObject,
    write: { readonly isPatch: boolean; readonly patch: JsonObject },
  ) => JsonObject;
  /** Reads other data for a record of this kind, e.g. the schema of databases. @param id undefined for a new record */
  readonly context?: (
    request: Pick<ManageRequest, 'table' | 'principal'>,
    id: string | undefined,
  ) => Promise<KindContext>;
  readonly writeContext?: (request: ManageRequest) => Promise<Pick<WriteContext, 'invitedBy'>>;
  /** Whether the parent of a record exists. Without it, a new record is refused, and no other exists. */
  readonly hasParent?: (address: ReturnType<typeof parseRecordAddress>, context: KindContext) => boolean;
  /** Whether a stored record exists for the caller. */
  readonly exists?: (stored: JsonObject, granted: Granted) => boolean;
  /** The data that a record is checked against, as far as the caller may see it. */
  readonly lookup?: (lookup: RecordLookup, granted: Granted) => RecordLookup;
  /** Adds the parts of the stored record that the caller may not see, or not write, to the checked record. */
  readonly complete?: (
    record: JsonObject,
    stored: JsonObject | undefined,
    granted: Granted,
    context: KindContext,
    write: RecordWrite,
  ) => JsonObject;
  /** The answers to what the table refuses for this kind alone. */
  readonly refusals?: Readonly<Partial<Record<ChangeRefused['reason'], () => HttpError>>>;
  /** The paths at which two versions differ. @default down to object properties and languages */
  readonly changedPaths?: (before: object, after: object) => string[];
  /** The paths that the audit event of a change names, if it is no update. */
  readonly audited?: (author: Author, applied: AppliedChange, write: RecordWrite) => string[];
  /** The time limit of a write, if it is longer than usual. */
  readonly milliseconds?: number;
  /** The record in document form, as far as the caller may see it. @default without texts in removed languages */
  readonly view?: (record: JsonObject, granted: Granted, context: KindContext) => JsonObject;
  /**
   * A former state of the record, as far as the caller may see it.
   * @param hidden the fields that were hidden then
   * @default the whole state
   */
  readonly formerView?: (
    state: JsonObject,
    hidden: readonly string[],
    granted: Granted,
    context: KindContext,
  ) => JsonObject;
  /** The changed paths of an event that the caller may see. @default all */
  readonly formerPaths?: (
    event: { readonly changed: readonly string[]; readonly hidden: readonly string[] },
    address: RecordAddress,
    granted: Granted,
    context: KindContext,
  ) => readonly string[];
}

/** The stored data that checks and views of a kind need beside the records. */
export interface KindContext extends Pick<WriteContext, 'schema'> {
  /** The languages of the workspace, for kinds with texts. Entries use those of the schema. */
  readonly languages?: readonly string[];
  /** The last use of an API key. */
  readonly lastUsedAt?: string | null;
}

/** A new secret of an API key or a webhook. */
export interface IssuedSecret {
  /** Its hash, or the version from which it is derived. */
  readonly stored: string;
  readonly graceSeconds: number;
}

/** Names a record. The id of an entry is `modelId/id`. */
export interface RecordAddress extends ServedKind {
  readonly id: string;
}

/** A write of one record, from a single request or a batch. */
export interface RecordWrite extends RecordAddress {
  readonly verb: WriteVerb;
  /** When the id was generated for this write. No record has such an id. */
  readonly newIdAt?: Date | undefined;
  /** The record or the merge patch; none to delete. */
  readonly body?: JsonObject;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** The whole version that the write restores, with what its caller does not see, and its short revision. */
  readonly restores?: { readonly whole: JsonObject; readonly revision: string };
  /** What is stored of a new secret, and how long the former one stays valid. */
  readonly issued?: IssuedSecret;
}

/** The answer to a write. That to a deletion has only a status. */
export interface WriteAnswer {
  readonly status: 200 | 201 | 204;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string;
}

/** A call of a function that writes one record. */
export interface WriteCall extends ManageRequest {
  readonly params: { readonly kind: string; readonly id?: string };
  readonly headers: {
    readonly 'If-Match'?: string | undefined;
    readonly 'If-None-Match'?: string | undefined;
    readonly 'Idempotency-Key'?: string | undefined;
  };
  readonly body?: unknown;
  /** For the log line: the ids of the records that the request changed. */
  readonly logDetails: Record<string, string | readonly string[]>;
}

/** The members by which the table finds a record. */
export function parseRecordAddress(id: string): { readonly id: string; readonly modelId?: string } {
  const [first = '', second] = id.split('/');
  return second === undefined ? { id: first } : { id: second, modelId: first };
}

/** Whether a record of the kind can have this address. */
export function isAddress({ rules, id }: Pick<RecordAddress, 'rules' | 'id'>): boolean {
  const parts = id.split('/');
  return parts.length === (rules.managed.idPath ? 2 : 1) && parts.every(isRecordId);
}

/** The id of a new record, from the body or generated. The id of an entry has the id of its database in front. */
export function createdId({ newId, managed }: EditRules, record: JsonObject = {}, now: Date): string {
  const id = textOf(record['id']);
  const modelId = textOf(record['modelId']);
  // An id that no record can have is an issue of the body, and is not looked up.
  const usableId = isRecordId(id) ? id : (newId?.(now) ?? `${managed.idPrefix}${randomUUID().replaceAll('-', '')}`);
  return managed.idPath ? `${isRecordId(modelId) ? modelId : ''}/${usableId}` : usableId;
}
