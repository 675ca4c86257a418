import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { Permission } from '#lib/domain/access/permission.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { type Kind, kindOf, type ManagedKind } from '#lib/kinds/kinds.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { storedRecord } from '#lib/table/writer/first-reads.ts';
import {
  isAddress,
  type KindContext,
  type ManageRequest,
  parseRecordAddress,
  type RecordAddress,
  rulesOf,
} from './managed-record.ts';
import { databaseNotFound } from './refusals.ts';

/**
 * A stored record as the caller may see it, with its tag; undefined for any id without a record.
 * @throws 404 for an entry of a database that does not exist
 */
export async function findRecord(
  request: Pick<ManageRequest, 'table' | 'principal' | 'rules'>,
  address: RecordAddress,
): Promise<{ readonly record: object; readonly etag: string; readonly isAsStored: boolean } | undefined> {
  if (!isAddress(address)) return undefined;
  const { table, principal } = request;
  const { kind } = address;
  const rules = rulesOf(request, kind);
  const { context: open, exists = () => true } = rules;
  const [context, languages, { record, etag }] = await Promise.all([
    open?.(request, address.id),
    languagesFor(kind, table, principal),
    storedRecord(rules.storage, table, principal, { kind, ...parseRecordAddress(address.id) }),
  ]);
  const isWithoutDatabase = rules.hasParent?.(parseRecordAddress(address.id), context ?? {}) === false;
  if (isWithoutDatabase) throw databaseNotFound();
  const stored = record as JsonObject | undefined;
  if (!stored || etag === undefined || !exists(stored, effectivePermissions(principal))) return undefined;
  const shown = shownRecord(request, kind, stored, { ...context, languages });
  return { record: shown, etag, isAsStored: shown === record };
}

/** The languages of the workspace for a kind with localized texts; otherwise an empty list, without a read. */
export async function languagesFor(
  kind: Kind,
  table: Table,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
): Promise<readonly string[]> {
  if (!kindOf(kind).localized) return [];
  return (await findWorkspace(table, workspaceId))?.languages ?? [];
}

/** The record that a caller with every permission sees. */
export const wholeRecord = (
  { rules }: Pick<ManageRequest, 'rules'>,
  kind: ManagedKind,
  record: object,
  context: KindContext,
): JsonObject => shownTo(everything, { rules }, kind, record as JsonObject, context);

const everything: ReadonlySet<Permission> = new Set(Permission.options);

/**
 * A stored record in the form of an answer, as far as the caller may see it.
 * @returns the record itself if all of it is shown
 */
export function shownRecord(
  request: Pick<ManageRequest, 'principal' | 'rules'>,
  kind: ManagedKind,
  record: JsonObject,
  context: KindContext,
): JsonObject {
  return shownTo(effectivePermissions(request.principal), request, kind, record, context);
}

function shownTo(
  granted: ReadonlySet<Permission>,
  request: Pick<ManageRequest, 'rules'>,
  kind: ManagedKind,
  record: JsonObject,
  context: KindContext,
): JsonObject {
  const { view } = rulesOf(request, kind);
  return view ? view(record, granted, context) : inLanguages(kind, record, context.languages ?? []);
}
