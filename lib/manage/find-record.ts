import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { storedRecord } from '#lib/table/writer/apply-change.ts';
import { isAddress, type ManageRequest, parseRecordAddress, type RecordAddress, rulesOf } from './managed-record.ts';
import { databaseNotFound } from './refusals.ts';
import { languagesFor, shownRecord } from './shown-record.ts';

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
  const granted = effectivePermissions(principal);
  if (!stored || etag === undefined || !exists(stored, granted)) return undefined;
  const shown = shownRecord(kind, rules, stored, granted, { ...context, languages });
  return { record: shown, etag, isAsStored: shown === record };
}
