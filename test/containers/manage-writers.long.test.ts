import { it } from '@jest/globals';
import { entries, expectManyWrites, products } from '#test/support/many-writers.ts';

it.each([
  ['menu', products],
  ['database', entries],
])(
  '350 creates, changes and deletes of one %s at once all succeed, and leave exactly what they say',
  (_, list) => expectManyWrites(list, { made: 200, changed: 100, removed: 50 }, 4),
  600_000,
);
