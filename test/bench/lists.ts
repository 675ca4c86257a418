import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Costs } from '#lib/local/stats.ts';
import { windowMilliseconds } from '#lib/table/log/change-log.ts';
import { figure, figureWithGoal, median, table } from './figures.ts';
import { type HttpCall, HttpClient } from './http-load.ts';
import { type ImportCost, importWorkspace, type LocalService, startLocalService } from './local-service.ts';
import { cpuMilliseconds } from './process-usage.ts';
import { roundTripsOf } from './round-trips.ts';
import { secretOf, writeCategories, writeSampleWorkspace } from './sample-workspace.ts';
import { projectFolder, type Workbench } from './workbench.ts';

const sizes = [100, 1_000, 10_000, 100_000];
const comparedSize = 1_000;
const pageLength = 20;
const rounds = 5;
const callsPerRound = 20;
const ratioMax = 1.5;
const cpuMillisecondsMax = 25;
const importMegabytesMax = 150;

interface Import extends ImportCost {
  readonly what: string;
  readonly items: number;
}

/** A list, and the cost limit of a warm request. */
interface List {
  readonly name: string;
  readonly workspaceId: (items: number) => string;
  readonly call: (secret: string, position: Position) => HttpCall;
  readonly totalOf: (reply: { readonly headers: Record<string, unknown>; readonly body: Buffer }) => number;
  readonly goal: string;
}

/** The page number from 0, and its name. */
interface Position {
  readonly name: 'first' | 'middle' | 'after the middle, by cursor' | 'last';
  readonly page: number;
}

/** A list of one size at one position, with its measurements. */
interface Case {
  readonly list: List;
  readonly items: number;
  readonly position: Position;
  readonly call: HttpCall;
  cost?: Cost;
  readonly milliseconds: number[];
  /** The CPU time of the service's process per request, one figure for each round. */
  readonly cpu: number[];
}

interface Cost {
  readonly calls: string;
  readonly roundTrips: number;
  readonly readUnits: number;
}

const sampleId = (items: number): string => `sample-${items}`;
const categoriesId = (items: number): string => `categories-${items}`;

const menuCall = (path: string, secret: string, { page }: Position): HttpCall => ({
  method: 'GET',
  path: `/api/public/menu/${path}limit=${pageLength}&page=${page + 1}&apiKey=${secret}`,
});
const menuTotal: List['totalOf'] = ({ body }) => JSON.parse(body.toString()).pagination.total;

const lists: readonly List[] = [
  {
    name: 'categories',
    workspaceId: categoriesId,
    call: (secret, position) => menuCall('categories?', secret, position),
    totalOf: menuTotal,
    goal: '2',
  },
  {
    name: 'products, includeCmsData=false',
    workspaceId: sampleId,
    call: (secret, position) => menuCall('products?includeCmsData=false&', secret, position),
    totalOf: menuTotal,
    goal: '2',
  },
  {
    name: 'products',
    workspaceId: sampleId,
    call: (secret, position) => menuCall('products?', secret, position),
    totalOf: menuTotal,
    goal: '2',
  },
  {
    name: 'CMS entries, maxDepth=0',
    workspaceId: sampleId,
    call: (secret, { page }) => ({
      method: 'GET',
      path: `/api/public/cms/dishes/list?maxDepth=0&limit=${pageLength}&offset=${page * pageLength}`,
      headers: { 'x-api-key': secret },
    }),
    totalOf: ({ headers }) => Number(headers['x-cms-total']),
    goal: '2 + page',
  },
  ...[
    'filter[preparationTime][gte]=20',
    'sort=-name',
    'search=a',
    'filter[soldout]=false&sort=preparationTime,name',
    'filter[soldout]=false&sort=preparationTime,name&search=saffron',
    'sort=-updatedAt',
    'filter[updatedAt][gte]=2026-01-03&sort=-updatedAt',
  ].map(
    (query): List => ({
      name: `CMS entries, ${query}`,
      workspaceId: sampleId,
      call: (secret, { page }) => ({
        method: 'GET',
        path: `/api/public/cms/dishes/list?maxDepth=0&limit=${pageLength}&offset=${page * pageLength}&${query}`,
        headers: { 'x-api-key': secret },
      }),
      totalOf: ({ headers }) => Number(headers['x-cms-total']),
      goal: '2 + page',
    }),
  ),
];

/** Measures the cost and the duration of warm lists, at sizes up to `itemsMax`. */
export async function measureLists(bench: Workbench, itemsMax: number): Promise<string> {
  const measured = sizes.filter((items) => items <= itemsMax);
  const imports: Import[] = [];
  const service = await startWith(bench, measured, imports);
  const client = new HttpClient(service.port);
  bench.running.defer(() => client.close());
  const cases: Case[] = [];
  for (const items of measured) for (const list of lists) cases.push(...(await casesOf(client, list, items)));
  bench.note('Waiting for the minute in which lists read more, because their data is new');
  await pause(windowMilliseconds);
  bench.note('Measuring costs');
  for (const entry of cases) entry.cost = await costOf(service, client, entry);
  for (let round = 1; round <= rounds; round++) {
    bench.note(`Measuring times, round ${round} of ${rounds}`);
    for (const entry of cases) await measureTimes(service.child.pid, client, entry);
  }
  return [importTable(imports), costTable(cases), ratioTable(cases)].join('\n');
}

async function startWith(bench: Workbench, measured: readonly number[], imports: Import[]): Promise<LocalService> {
  const first = join(bench.folder, 'first.ndjson');
  await writeCategories(first, 'first', 1);
  const watchedBy = join(projectFolder, 'test/bench/call-times.ts');
  const service = await startLocalService(bench, { workspaces: [first], watchedBy });
  for (const items of measured) {
    bench.note(`Importing ${items} products, ${items} categories and ${items} entries`);
    const file = join(bench.folder, 'workspace.ndjson');
    await writeSampleWorkspace(file, sampleId(items), {
      categories: 20,
      tags: 20,
      articles: items / 5,
      products: items,
    });
    const menu = await importWorkspace(bench, service, file);
    await writeCategories(file, categoriesId(items), items);
    const categories = await importWorkspace(bench, service, file);
    imports.push({ what: 'products, as many entries, articles', items, ...menu });
    imports.push({ what: 'categories', items, ...categories });
  }
  return service;
}

async function casesOf(client: HttpClient, list: List, items: number): Promise<Case[]> {
  const secret = secretOf(list.workspaceId(items));
  const first = { name: 'first', page: 0 } as const;
  const total = list.totalOf(await client.callSuccessfully(list.call(secret, first)));
  const last = Math.ceil(total / pageLength) - 1;
  const positions: Position[] = [first, { name: 'middle', page: Math.floor(last / 2) }, { name: 'last', page: last }];
  const cases = positions.map((position): Case => newCase(list, items, position, list.call(secret, position)));
  const middle = cases[1]?.call;
  const cursor = middle && (await client.callSuccessfully(middle)).headers['x-cms-next-cursor'];
  if (!middle || typeof cursor !== 'string') return cases;
  const next = { ...middle, path: middle.path.replace(/offset=\d+/, `cursor=${encodeURIComponent(cursor)}`) };
  return [...cases, newCase(list, items, { name: 'after the middle, by cursor', page: Number.NaN }, next)];
}

const newCase = (list: List, items: number, position: Position, call: HttpCall): Case => ({
  list,
  items,
  position,
  call,
  milliseconds: [],
  cpu: [],
});

/** Repeats an earlier request, so that the function has its caches filled. */
async function costOf(service: LocalService, client: HttpClient, { call }: Case): Promise<Cost> {
  for (let warm = 0; warm < 3; warm++) await client.callSuccessfully(call);
  await roundTripsOf(service);
  const stats = { path: '/_local/stats', headers: { host: 'localhost' } };
  await client.call({ method: 'DELETE', ...stats });
  await client.callSuccessfully(call);
  const { dynamodb } = JSON.parse((await client.call({ method: 'GET', ...stats })).body.toString()) as Costs;
  const calls = Object.entries(dynamodb.calls).sort();
  return {
    calls: calls.map(([operation, count]) => `${count} ${operation}`).join(', '),
    roundTrips: await roundTripsOf(service),
    readUnits: dynamodb.readUnits,
  };
}

async function measureTimes(pid: number, client: HttpClient, { call, milliseconds, cpu }: Case): Promise<void> {
  // The first request finds the data of another case in the processor's caches.
  await client.callSuccessfully(call);
  const before = cpuMilliseconds([pid]);
  for (let count = 0; count < callsPerRound; count++) {
    const calledAt = performance.now();
    await client.callSuccessfully(call);
    milliseconds.push(performance.now() - calledAt);
  }
  cpu.push((cpuMilliseconds([pid]) - before) / callsPerRound);
}

function importTable(imports: readonly Import[]): string {
  const rows = imports.map(({ what, items, seconds, peakMegabytes }) => [
    what,
    String(items),
    figure(seconds),
    figure(peakMegabytes),
  ]);
  return table(
    'Imports: npm run workspace -- import',
    ['what', 'items', 'seconds', `peak MB (under ${importMegabytesMax})`],
    rows,
  );
}

function costTable(cases: readonly Case[]): string {
  const rows = cases.map(({ list, items, position, cost, milliseconds, cpu }) => [
    list.name,
    String(items),
    position.name,
    cost?.calls ?? '',
    String(cost?.roundTrips),
    figure(cost?.readUnits ?? Number.NaN),
    list.goal,
    figure(median(milliseconds)),
    figureWithGoal(median(cpu), cpuMillisecondsMax, 'at most', figure),
  ]);
  const title = `Warm lists: one request of ${pageLength}, p50 at one connection, CPU of our process`;
  const head = ['list', 'items', 'page', 'calls', 'round trips', 'read units', 'goal', 'p50 ms', 'CPU ms'];
  return table(title, head, rows);
}

function ratioTable(cases: readonly Case[]): string {
  const largest = Math.max(...cases.map(({ items }) => items));
  if (largest <= comparedSize) return '';
  const rows = cases
    .filter(({ items }) => items === largest)
    .map(({ list, position, milliseconds }) => {
      const small = cases.find(
        (other) => other.list === list && other.position.name === position.name && other.items === comparedSize,
      );
      const ratio = median(milliseconds) / median(small?.milliseconds ?? []);
      return [list.name, position.name, figureWithGoal(ratio, ratioMax, 'at most')];
    });
  return table(`Warm lists: p50 at ${largest} items to that at ${comparedSize}`, ['list', 'page', 'ratio'], rows);
}
