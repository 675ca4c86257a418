import { it } from '@jest/globals';
import { namedLists } from '#test/support/many-named-writers.ts';
import { entries, expectManyWrites, products } from '#test/support/many-writers.ts';

it.each([
  ['menu', products],
  ['database', entries],
])(
  '350 concurrent writes to one %s all succeed, and leave exactly the answered state',
  (_, list) => expectManyWrites([list], { made: 200, changed: 100, removed: 50 }, 4),
  600_000,
);

it('concurrent writes to every other kind all succeed, and leave exactly the answered state', async () => {
  await expectManyWrites(
    namedLists.map(([, list]) => list),
    { made: 15, changed: 10, removed: 5 },
    4,
  );
}, 600_000);
