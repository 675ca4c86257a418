import { expect, it } from '@jest/globals';
import { runHistory } from '#test/support/history/run-history.ts';

const seed = Number(process.env['HISTORY_SEED'] ?? Date.now() % 1_000_000);
const options = { seed, operations: 150, talk: 50, clients: 8, containers: 4, faults: 0.1, withImports: false };

it(`150 operations and 50 in conversations, on 4 containers, with faults, are answered as by one (HISTORY_SEED=${seed})`, async () => {
  expect((await runHistory(options)).violations).toEqual([]);
}, 240_000);
