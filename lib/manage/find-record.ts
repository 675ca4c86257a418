import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { storedRecord } from '#lib/table/writer/apply-change.ts';
import { rulesOf } from './kind-rules.ts';
import { isAddress, type ManageRequest, parseRecordAddress, type RecordAddress } from './managed-record.ts';
import { databaseNotFound } from './refusals.ts';
import { responsesWithFiles } from './response-files.ts';
import { languagesFor, shownRecord } from './shown-record.ts';

/**
 * A stored record as the caller may see it, with its tag; undefined for any id without a record.
 * @throws 404 for an entry of a database that does not exist
 */
export async function findRecord(
  request: Pick<ManageRequest, 'table' | 'principal'>,
  address: RecordAddress,
): Promise<{ readonly record: object; readonly etag: string; readonly isAsStored: boolean } | undefined> {
  if (!isAddress(address)) return undefined;
  const { table, principal } = request;
  const { kind } = address;
  const rules = rulesOf(kind);
  const { context: open, exists = () => true } = rules;
  const [context, languages, { record, etag }] = await Promise.all([
    open?.(request, address.id),
    languagesFor(kind, table, principal),
    storedRecord(table, principal, { kind, ...parseRecordAddress(address.id) }),
  ]);
  const isWithoutDatabase = rules.hasParent?.(parseRecordAddress(address.id), context ?? {}) === false;
  if (isWithoutDatabase) throw databaseNotFound();
  const stored = record as JsonObject | undefined;
  const granted = effectivePermissions(principal);
  if (!stored || etag === undefined || !exists(stored, granted)) return undefined;
  const shown = shownRecord(kind, rules, stored, granted, { ...context, languages });
  // A form response is shown with the files that its answers name.
  const [answered = shown] =
    kind === 'formResponse' ? await responsesWithFiles(request, [shown as unknown as FormResponse]) : [];
  return { record: answered, etag, isAsStored: answered === record };
}
