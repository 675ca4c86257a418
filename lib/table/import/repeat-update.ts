import { ConditionFailed, Contended } from '../errors.ts';
import type { Table } from '../table.ts';
import { repeatWrite } from '../writer/repeat-write.ts';

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
