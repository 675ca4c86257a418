import type { Item } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { inTransactions } from './in-transactions.ts';

/** A record that is written together with its names. */
export interface RecordWithNames {
  readonly item: Item;
  readonly names: readonly Item[];
  /** The ids of the records that now have these names. */
  readonly owners: ReadonlySet<string>;
}

/**
 * Writes records that take names from each other. Connected records are written in one transaction, so that each name
 * always points to a record that has it. If they do not fit, they are written one after the other.
 */
export async function reassignNames(table: Table, changes: ReadonlyMap<string, RecordWithNames>): Promise<void> {
  const groups = connected(changes).flatMap((ids) => {
    const writes = ids.map((id) => writesOf(changes.get(id) as RecordWithNames));
    return inTransactions(writes).length === 1 ? [writes.flat()] : writes;
  });
  for (const records of inTransactions(groups)) await repeatTransaction(table, { records });
}

const writesOf = ({ item, names }: RecordWithNames): TransactItem[] =>
  [...names, item].map((put) => ({ Put: { Item: put } }));

/** Groups the ids of changes that take names from each other. */
function connected(changes: ReadonlyMap<string, RecordWithNames>): string[][] {
  const neighbours = new Map([...changes.keys()].map((id) => [id, new Set<string>()]));
  for (const [id, { owners }] of changes) {
    for (const owner of owners) {
      neighbours.get(owner)?.add(id);
      if (changes.has(owner)) neighbours.get(id)?.add(owner);
    }
  }
  const left = new Set(changes.keys());
  return [...left].flatMap((start) => {
    const group = left.delete(start) ? [start] : [];
    for (const id of group) for (const next of neighbours.get(id) ?? []) if (left.delete(next)) group.push(next);
    return group.length > 0 ? [group] : [];
  });
}
