import { it } from '@jest/globals';
import { expectManyWrites } from '#test/support/many-writers.ts';

it(
  '44 creates, changes and deletes of one menu at once all succeed, and leave exactly what they say',
  () => expectManyWrites({ made: 24, changed: 12, removed: 8 }, 2),
  60_000,
);
