import { it } from '@jest/globals';
import { Containers } from '#test/support/containers.ts';
import { runListQueries } from '#test/support/run-list-queries.ts';

const seed = Number(process.env['LIST_SEED'] ?? 1);

it(`lists filter, sort and search like plain arrays (LIST_SEED=${seed})`, async () => {
  await using containers = await Containers.start(2);
  await runListQueries(containers, seed, 15);
});
