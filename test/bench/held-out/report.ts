import { startDynamoDb } from '#lib/local/dynamodb.ts';
import { setFunctionEnvironment } from '#lib/local/environment.ts';
import { createTable } from '#lib/table/dynamodb/create-table.ts';
import { table } from '../figures.ts';
import type { Workbench } from '../workbench.ts';

const tableName = 'held-out';
const verdicts = ['right', 'handed over', 'wrong'] as const;

/** Reports how the offline engine answers questions that its rules were not written for. It is never a gate. */
export async function measureHeldOut(bench: Workbench): Promise<string> {
  bench.note('Asking the offline engine the held-out questions');
  const engine = await startDynamoDb();
  bench.running.defer(() => engine.stop());
  setFunctionEnvironment(engine, tableName, []);
  await engine.ready;
  await createTable(tableName);
  // The table client reads its address from the environment when its module is loaded.
  const { askHeldOut } = await import('./held-out.ts');
  const rows = [...(await askHeldOut())].map(([name, results]) => {
    const count = (wanted: (typeof verdicts)[number]) => results.filter(({ verdict }) => verdict === wanted).length;
    return [name, ...verdicts.map((verdict) => `${count(verdict)} (${percent(count(verdict), results.length)})`)];
  });
  return table(
    'Offline engine: held-out questions (aim: 60% right, at most 5% wrong)',
    ['business', ...verdicts],
    rows,
  );
}

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)}%`;
