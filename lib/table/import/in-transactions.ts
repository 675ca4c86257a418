import { storedBytes } from '#lib/domain/stored-size.ts';
import type { TransactItem } from '../table.ts';

const itemsMax = 100;
/** DynamoDB accepts 4 MB, and its size is slightly larger than that of the items. */
const bytesMax = 3 * 1_048_576;

/** Packs groups of writes into transactions. The writes of one group stay together. */
export function inTransactions(groups: readonly (readonly TransactItem[])[]): TransactItem[][] {
  const transactions: TransactItem[][] = [];
  let items: TransactItem[] = [];
  let bytes = 0;
  for (const group of groups) {
    const groupBytes = storedBytes(group);
    if (items.length > 0 && (items.length + group.length > itemsMax || bytes + groupBytes > bytesMax)) {
      transactions.push(items);
      items = [];
      bytes = 0;
    }
    items.push(...group);
    bytes += groupBytes;
  }
  return items.length > 0 ? [...transactions, items] : transactions;
}
