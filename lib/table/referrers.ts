import { namedRecords } from './named-records.ts';
import { prefixOf, type Referred, type Referring, references } from './references.ts';
import type { Table, WorkspaceScope } from './table.ts';

/** The ids of the records that refer to a form, a channel or a customer, in their order. */
export async function referrersOf(
  table: Table,
  scope: WorkspaceScope,
  { kind: parent, id }: { readonly kind: Exclude<Referred, 'main' | 'handOver'>; readonly id: string },
  atMost: number,
): Promise<string[]> {
  const from = prefixOf(parent, id);
  const found: string[] = [];
  for await (const { record } of namedRecords<Referring>(
    table,
    scope,
    references[parent].kind,
    { from, to: `${from}~` },
    atMost,
  )) {
    if (found.push(record.id) >= atMost) break;
  }
  return found;
}
