import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { keys } from '../keys.ts';
import { isNameOf, listingPrefix } from '../record-names.ts';
import { recordOf } from '../record-of.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';

/** A stored customer with its sort key in the order of names. */
export interface ListedCustomer {
  readonly sortKey: string;
  readonly record: object;
}

/**
 * Customers by their folded names, then ids. Each page is one range of pointers and their records, at any number of
 * customers. Access patterns W2 and W3.
 * @param after the sort key of the last customer of the previous page
 */
export async function* customersByName(
  table: Table,
  { workspaceId }: WorkspaceScope,
  after: string | undefined,
  atOnce: number,
): AsyncGenerator<ListedCustomer> {
  const range = {
    pk: keys.slugs(workspaceId, 'customer'),
    from: after ?? listingPrefix,
    to: `${listingPrefix}\u{10ffff}`,
    perPage: atOnce,
  };
  let pointers: Item[] = [];
  for await (const pointer of table.query(range)) {
    if (pointer.sk === after) continue;
    pointers.push(pointer);
    if (pointers.length < atOnce - 1) continue;
    yield* await customersOf(table, workspaceId, pointers);
    pointers = [];
  }
  yield* await customersOf(table, workspaceId, pointers);
}

/** A pointer and its record may differ during a change. */
async function customersOf(table: Table, workspaceId: string, pointers: readonly Item[]): Promise<ListedCustomer[]> {
  const items = await Promise.all(
    pointers.map(({ id }) => table.get(keys.record(workspaceId, 'customer', String(id)))),
  );
  return pointers.flatMap(({ sk }, index) => {
    const item = items[index];
    const record = item && recordOf<object>(item);
    return record && isNameOf('customer', record, sk) ? [{ sortKey: sk, record }] : [];
  });
}
