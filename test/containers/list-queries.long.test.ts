import { it } from '@jest/globals';
import { Containers } from '#test/support/containers.ts';
import { runListQueries } from '#test/support/run-list-queries.ts';

const seed = Number(process.env['LIST_SEED'] ?? Date.now() % 1_000_000);
const runs = Number(process.env['LIST_RUNS'] ?? 2_000);

it(`${runs} databases have what plain arrays have (LIST_SEED=${seed})`, async () => {
  await using containers = await Containers.start(3);
  await runListQueries(containers, seed, runs);
}, 3_600_000);
