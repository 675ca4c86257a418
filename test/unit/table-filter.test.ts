import { expect, it } from '@jest/globals';
import type { TableClient } from '#lib/table/dynamodb/client.ts';
import { containing } from '#lib/table/filters.ts';
import { type Range, Table } from '#lib/table/table.ts';

// DynamoDB Local ignores the limit of 1 MB for a page with a filter, so only this test has such pages.

/** A table whose pages have the items of these positions and end after 1,000 read items, or at `Limit`. */
function pagedTable(size: number, matches: readonly number[]) {
  const limits: number[] = [];
  const client = {
    call: async (
      _operation: string,
      { Limit, ExclusiveStartKey }: { Limit: number; ExclusiveStartKey?: { sk: number } },
    ) => {
      limits.push(Limit);
      const start = ExclusiveStartKey ? ExclusiveStartKey.sk + 1 : 0;
      const end = Math.min(size, start + Math.min(Limit, 1_000));
      const Items = matches.filter((sk) => sk >= start && sk < end).map((sk) => ({ pk: 'p', sk }));
      return {
        Items,
        Count: Items.length,
        ...(end < size && { LastEvaluatedKey: { pk: 'p', sk: end - 1 } }),
      };
    },
    destroy() {},
  } as unknown as TableClient;
  const found = async (range: Partial<Range>) =>
    (await Array.fromAsync(new Table({ client, name: 'table' }).query({ pk: 'p', ...range }))).map(({ sk }) => sk);
  return { found, limits };
}

const where = containing('record', 'img_1');

it('reads on after pages without a match', async () => {
  const { found } = pagedTable(9_500, [20, 4_321, 9_499]);
  expect(await found({ where })).toEqual([20, 4_321, 9_499]);
});

it('makes pages larger while nothing matches', async () => {
  const { found, limits } = pagedTable(6_000, [5_999]);
  expect(await found({ where, perPage: 100 })).toEqual([5_999]);
  expect(limits).toEqual([100, 500, 2_500, 2_500, 2_500, 2_500, 2_500, 2_500]);
});

it('keeps pages as they are while items match, and without a filter', async () => {
  const all = Array.from({ length: 300 }, (_, index) => index);
  const matching = pagedTable(300, all);
  expect(await matching.found({ where, perPage: 100 })).toEqual(all);
  expect(matching.limits).toEqual([100, 100, 100]);
  const unfiltered = pagedTable(300, []);
  expect(await unfiltered.found({ perPage: 100 })).toEqual([]);
  expect(unfiltered.limits).toEqual([100, 100, 100]);
});

it('ends at the number of items that the caller needs', async () => {
  const { found, limits } = pagedTable(300, [0, 1, 2, 3, 4]);
  expect(await found({ where, perPage: 3, atMost: 4 })).toEqual([0, 1, 2, 3]);
  expect(limits).toEqual([3, 1]);
});
