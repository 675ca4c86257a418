import { it } from '@jest/globals';
import { entries, expectManyWrites, products } from '#test/support/many-writers.ts';

it.each([
  ['menu', products],
  ['database', entries],
])(
  '350 concurrent writes to one %s all succeed, and leave exactly the answered state',
  (_, list) => expectManyWrites(list, { made: 200, changed: 100, removed: 50 }, 4),
  600_000,
);
