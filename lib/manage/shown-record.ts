import type { Permission } from '#lib/domain/access/permission.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { type Kind, kindOf } from '#lib/kinds/kinds.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import type { EditRules, KindContext } from './managed-record.ts';

/** The languages of the workspace for a kind with localized texts; otherwise an empty list, without a read. */
export async function languagesFor(
  kind: Kind,
  table: Table,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
): Promise<readonly string[]> {
  if (!kindOf(kind).localized) return [];
  return (await findWorkspace(table, workspaceId))?.languages ?? [];
}

/**
 * A stored record in the form of an answer, as far as the caller may see it.
 * @returns the record itself if all of it is shown
 */
export const shownRecord = (
  kind: Kind,
  { view }: Pick<EditRules, 'view'>,
  record: JsonObject,
  granted: ReadonlySet<Permission>,
  context: KindContext,
): JsonObject => (view ? view(record, granted, context) : inLanguages(kind, record, context.languages ?? []));
