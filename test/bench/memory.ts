import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleFunctions } from '#lib/bundle/bundle-functions.ts';
import { findEndpoints, routeTable } from '#lib/endpoints.ts';
import { startDynamoDb } from '#lib/local/dynamodb.ts';
import { setFunctionEnvironment } from '#lib/local/environment.ts';
import { httpApiEvent } from '#lib/local/event.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { createTable } from '#lib/table/dynamodb/create-table.ts';
import { Table } from '#lib/table/table.ts';
import { importDocument } from '#lib/workspace/import-document.ts';
import { figure, table } from './figures.ts';
import { runFunction } from './function-process.ts';
import { comparedSize } from './sample-data.ts';
import { secretOf, writeMenu } from './sample-workspace.ts';
import type { Workbench } from './workbench.ts';

const tableName = 'bench';
const functionName = 'menu-products-list';
const megabytesMax = 256;
const importsAtOnce = 2;
/** The numbers of workspaces after which the peak is shown. */
const shown = [1, 10, 50, 100, 150, 200, 300, 400, 500, 1_000];

/** Measures the memory of one process that lists the products of many workspaces in turn. */
export async function measureMemory(bench: Workbench, workspaces: number): Promise<string> {
  const engine = await startDynamoDb();
  bench.running.defer(() => engine.stop());
  setFunctionEnvironment(engine, tableName, routeTable(await findEndpoints()));
  const bundles = await bundleFunctions(undefined, join(bench.folder, 'build', 'functions'));
  const bundle = bundles.find(({ name }) => name === functionName);
  if (!bundle) throw new Error(`There is no function ${functionName}.`);
  await engine.ready;
  await createTable(tableName);
  const ids = Array.from({ length: workspaces }, (_, index) => `bench-${index}`);
  await importAll(bench, ids);
  bench.note('Reading');
  const eventsFile = join(bench.folder, 'events.ndjson');
  await writeFile(eventsFile, ids.map((id) => JSON.stringify(listEvent(id))).join('\n'));
  const { statuses, peaksMegabytes } = await runFunction(bundle.file, eventsFile);
  if (statuses.some((status) => status !== 200)) throw new Error('Not every list was answered.');
  return memoryTable(peaksMegabytes);
}

async function importAll(bench: Workbench, ids: readonly string[]): Promise<void> {
  const store = new Table({ client: tableClient('import'), name: tableName });
  const waiting = ids.values();
  let imported = 0;
  const lane = async (): Promise<void> => {
    for (const id of waiting) {
      const file = join(bench.folder, `${id}.ndjson`);
      await writeMenu(file, id, comparedSize);
      await importDocument(store.uncached(), file);
      imported++;
      if (imported % 20 === 0) bench.note(`Imported ${imported} of ${ids.length} workspaces`);
    }
  };
  await Promise.all(Array.from({ length: importsAtOnce }, lane));
}

const listEvent = (workspaceId: string) =>
  httpApiEvent({
    method: 'GET',
    url: `/api/public/menu/products?apiKey=${secretOf(workspaceId)}`,
    headers: [],
    body: Buffer.alloc(0),
    sourceIp: '127.0.0.1',
    requestId: 'bench',
    routeKey: 'GET /api/public/menu/products',
  });

/** The last peak is the one at the end of the process. */
function memoryTable(peaks: readonly number[]): string {
  const last = peaks.length - 1;
  const counts = shown.filter((count) => count < last).concat(last);
  const rows = counts.map((count) => [
    String(count),
    figure(count === last ? (peaks[last] ?? 0) : (peaks[count - 1] ?? 0)),
  ]);
  const title = `Memory: one process of ${functionName}, workspaces of ${comparedSize.products} products in turn (goal: under ${megabytesMax} MB)`;
  return table(title, ['workspaces read', 'peak RSS in MB'], rows);
}
