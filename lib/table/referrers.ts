import { inGroups } from '#lib/domain/in-groups.ts';
import { keys } from './keys.ts';
import { prefixOf, type Referred, type Referring, references } from './references.ts';
import { keptRecordOf } from './retention.ts';
import type { Item, Table, WorkspaceScope } from './table.ts';

/**
 * The ids of the records that refer to a form, a channel or a customer, in their order. Without outdated pointers it reads
 * one range of pointers and the records that it finds.
 */
export async function referrersOf(
  table: Table,
  { workspaceId }: WorkspaceScope,
  { kind: parent, id }: { readonly kind: Exclude<Referred, 'main' | 'handOver'>; readonly id: string },
  atMost: number,
): Promise<string[]> {
  const { kind, member } = references[parent];
  const refers = (item: Item | undefined) => keptRecordOf<Referring>(kind, item)?.[member] === id;
  const found: string[] = [];
  const from = prefixOf(parent, id);
  const pointers = { pk: keys.slugs(workspaceId, kind), from, to: `${from}~`, perPage: atMost };
  for await (const group of inGroups(table.query(pointers), atMost)) {
    const ids = group.map((pointer) => String(pointer['id']));
    const items = await Promise.all(ids.map((one) => table.get(keys.record(workspaceId, kind, one))));
    // An interrupted import may leave a pointer without its record.
    found.push(...ids.filter((_, index) => refers(items[index])));
    if (found.length >= atMost) break;
  }
  return found.slice(0, atMost);
}
