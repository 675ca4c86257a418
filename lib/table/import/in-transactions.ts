import { storedBytes } from '#lib/domain/stored-size.ts';
import { ConditionFailed, Contended } from '../errors.ts';
import type { Table, TransactItem } from '../table.ts';
import { repeatWrite } from '../writer/repeat-write.ts';

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

const triesMax = 5;

/**
 * Repeats an update of several transactions while the service changes some of the records.
 * @param update reads the records anew and writes only the differences. It tries each transaction once
 * @throws ConditionFailed of the last try, and the other errors of `update`
 */
export function repeatUpdate<Result>(table: Table, update: () => Promise<Result>): Promise<Result> {
  let failures = 0;
  return repeatWrite<undefined, Result>(table, {
    prepare: () => undefined,
    write: () =>
      update().catch((error: unknown) => {
        if (error instanceof Contended) return error;
        if (error instanceof ConditionFailed && ++failures < triesMax) return 'changed';
        throw error;
      }),
  });
}
