import { it } from '@jest/globals';
import { Containers } from '#test/support/containers.ts';
import { runListQueries } from '#test/support/run-list-queries.ts';

const seed = Number(process.env['LIST_SEED'] ?? 1);
const queries = Number(process.env['LIST_QUERIES'] ?? 2_000);

it(`${queries} random queries find the same records as plain arrays (LIST_SEED=${seed})`, async () => {
  await using containers = await Containers.start(3);
  await runListQueries(containers, seed, queries);
}, 900_000);
