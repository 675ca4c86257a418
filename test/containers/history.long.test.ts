import { expect, it } from '@jest/globals';
import { runHistory } from '#test/support/history/run-history.ts';

const seed = Number(process.env['HISTORY_SEED'] ?? 1);
const operations = Number(process.env['HISTORY_OPERATIONS'] ?? 5_000);
const talk = Number(process.env['HISTORY_TALK'] ?? 1_000);
const options = {
  seed,
  operations,
  talk,
  clients: 8,
  containers: 4,
  faults: 0.1,
  withImports: process.env['HISTORY_IMPORTS'] === '1',
  clocksApart: Number(process.env['HISTORY_CLOCKS'] ?? 30_000),
  standstill: Number(process.env['HISTORY_STANDSTILL'] ?? 0),
};

it(`an order of all operations explains every answer of 4 containers with faults: ${operations} operations, ${talk} in conversations (HISTORY_SEED=${seed})`, async () => {
  const { violations, statuses } = await runHistory(options);
  process.stdout.write(`History with seed ${seed}: answers by status ${JSON.stringify(statuses)}\n`);
  expect(violations).toEqual([]);
}, 1_800_000);
