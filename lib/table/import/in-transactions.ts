import { storedBytes } from '#lib/domain/stored-size.ts';
import type { TransactItem } from '../table.ts';

const itemsMax = 100;
/** DynamoDB takes 4 MB, and counts a little more than the items themselves. */
const bytesMax = 3 * 1_048_576;

/** Groups of writes as transactions that have room for them; the writes of one group stay together. */
export function inTransactions(groups: readonly (readonly TransactItem[])[]): TransactItem[][] {
  const transactions: TransactItem[][] = [];
  let items: TransactItem[] = [];
  let bytes = 0;
  for (const group of groups) {
    const groupBytes = storedBytes(group);
    if (items.length > 0 && (items.length + group.length > itemsMax || bytes + groupBytes > bytesMax)) {
      transactions.push(items);
      [items, bytes] = [[], 0];
    }
    items.push(...group);
    bytes += groupBytes;
  }
  return items.length > 0 ? [...transactions, items] : transactions;
}
