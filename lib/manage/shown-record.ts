import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { JsonObject } from '#lib/domain/input.ts';
import type { KindDeclaration } from '#lib/kinds/define-kind.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { storedRecord } from '#lib/table/writer/first-reads.ts';
import {
  type EditRules,
  type Granted,
  isAddress,
  type KindContext,
  type ManageRequest,
  parseRecordAddress,
  type RecordAddress,
} from './managed-record.ts';
import { databaseNotFound } from './refusals.ts';

/**
 * A stored record as the caller may see it, with its tag; undefined for any id without a record.
 * @throws 404 for an entry of a database that does not exist
 */
export async function findRecord(
  request: Pick<ManageRequest, 'table' | 'principal'>,
  address: RecordAddress,
): Promise<{ readonly record: object; readonly etag: string } | undefined> {
  if (!isAddress(address)) return undefined;
  const { table, principal } = request;
  const { kind, rules, id } = address;
  const { hasParent, exists = () => true } = rules;
  const parsed = parseRecordAddress(id);
  const [context = {}, languages, { record, etag }] = await Promise.all([
    rules.context?.(request, id),
    languagesFor(rules, table, principal),
    storedRecord(rules.storage, table, principal, { kind, ...parsed }),
  ]);
  if (hasParent?.(parsed, context) === false) throw databaseNotFound();
  const stored = record as JsonObject | undefined;
  const granted = effectivePermissions(principal);
  if (!stored || etag === undefined || !exists(stored, granted)) return undefined;
  return { record: shownRecord(rules, stored, granted, { ...context, languages }), etag };
}

/** The languages of the workspace for a kind with localized texts; otherwise an empty list, without a read. */
export async function languagesFor(
  { localized }: KindDeclaration,
  table: Table,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
): Promise<readonly string[]> {
  if (!localized) return [];
  return (await findWorkspace(table, workspaceId))?.languages ?? [];
}

/**
 * A stored record in the form of an answer, as far as a caller may see it.
 * @returns the record itself if all of it is shown
 */
export const shownRecord = (rules: EditRules, record: JsonObject, granted: Granted, context: KindContext): JsonObject =>
  rules.view?.(record, granted, context) ?? inLanguages(rules, record, context.languages ?? []);
