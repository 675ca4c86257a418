import { it } from '@jest/globals';
import { Containers } from '#test/support/containers.ts';
import { runListQueries } from '#test/support/run-list-queries.ts';

const seed = Number(process.env['LIST_SEED'] ?? 1);

it(`lists have what a plain array has, filtered, sorted and searched in the same way (LIST_SEED=${seed})`, async () => {
  await using containers = await Containers.start(2);
  await runListQueries(containers, seed, 30);
});
