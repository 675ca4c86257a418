import { it } from '@jest/globals';
import { expectManyWrites } from '#test/support/many-writers.ts';

it(
  '350 creates, changes and deletes of one menu at once all succeed, and leave exactly what they say',
  () => expectManyWrites({ made: 200, changed: 100, removed: 50 }, 4),
  600_000,
);
