import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bundle, bundleFunctions, bundleGroups } from '#lib/bundle/bundle-functions.ts';
import { type EndpointFunction, findEndpoints, gatewayRoutes, groupOf, routeTable } from '#lib/endpoints.ts';
import type { Endpoint } from '#lib/http/declaration.ts';
import { routesOf } from '#lib/http/endpoint.ts';
import { setFunctionEnvironment } from '#lib/local/environment.ts';
import { httpApiEvent } from '#lib/local/event.ts';
import { startEmptyEngine } from './empty-engine.ts';
import { figure, figureWithGoal, median, table, times } from './figures.ts';
import { runFunction } from './function-process.ts';
import type { Workbench } from './workbench.ts';

const starts = 15;
const ratioMax = 3.8;
const unknownKey = 'a-key-that-nobody-has-000';

/** A bundle and the single event of its process. */
interface Start {
  readonly name: string;
  readonly file: string;
  readonly eventsFile: string;
  readonly bytes: number;
  readonly toAnswer: number[];
  readonly cpu: number[];
  readonly toEnd: number[];
}

/**
 * Measures the time from the start of a process to the first answer of each function, relative to an empty function.
 * Each function makes one call to the table. The caller's key is unknown, which takes every function one read.
 * @param only the names of the functions to start
 */
export async function measureColdStarts(bench: Workbench, only: RegExp): Promise<string> {
  const engine = await startEmptyEngine();
  bench.running.defer(() => engine.stop());
  const endpoints = await findEndpoints();
  const access = { endpoint: engine.endpoint, region: 'us-east-1', accessKeyId: 'bench', secretAccessKey: 'bench' };
  setFunctionEnvironment(access, 'bench', routeTable(endpoints));
  const bundles = await bundleFunctions(undefined, join(bench.folder, 'build', 'functions'));
  const empty = await emptyStart(bench);
  const measured = [empty];
  for (const { name, file } of bundles) {
    const endpoint = endpoints.find((found) => found.name === name);
    // A function without a key answers before any call to the table.
    if (endpoint && endpoint.endpoint.keyIn.length > 0 && only.test(name))
      measured.push(await startOf(bench, endpoint, file));
  }
  const chain = await chainOf(bench, endpoints, bundles);
  measured.push(...chain.map(({ start }) => start));
  for (let round = 0; round <= starts; round++) {
    bench.note(round === 0 ? 'Starting every function once, to warm the disk cache' : `Start ${round} of ${starts}`);
    for (const start of measured) {
      const callsBefore = engine.calls();
      const { firstAnswerMilliseconds, firstAnswerCpu, wholeMilliseconds } = await runFunction(
        start.file,
        start.eventsFile,
      );
      const calls = engine.calls() - callsBefore;
      if (start !== empty && calls !== 1) throw new Error(`${start.name} made ${calls} calls and not one.`);
      if (round === 0) continue;
      start.toAnswer.push(firstAnswerMilliseconds);
      start.cpu.push(firstAnswerCpu);
      start.toEnd.push(wholeMilliseconds);
    }
  }
  return [coldTable(empty, measured), chainTable(chain)].join('\n');
}

async function emptyStart(bench: Workbench): Promise<Start> {
  const folder = join(bench.folder, 'empty');
  await mkdir(folder);
  const file = join(folder, 'index.js');
  await writeFile(file, 'exports.handler = async () => ({ statusCode: 200 });\n');
  const eventsFile = join(folder, 'events.json');
  await writeFile(eventsFile, '{}');
  return {
    name: 'an empty function',
    file,
    eventsFile,
    bytes: (await stat(file)).size,
    toAnswer: [],
    cpu: [],
    toEnd: [],
  };
}

async function startOf(bench: Workbench, { name, endpoint }: EndpointFunction, file: string): Promise<Start> {
  const eventsFile = join(bench.folder, `${name}.json`);
  await writeFile(eventsFile, JSON.stringify(eventFor(endpoint)));
  return { name, file, eventsFile, bytes: (await stat(file)).size, toAnswer: [], cpu: [], toEnd: [] };
}

function eventFor(declared: Endpoint) {
  // One of its routes: an unknown address is refused before any call to the table.
  const { methods, path, keyIn, body } = routesOf(declared)[0]?.endpoint ?? declared;
  const [method] = methods;
  const url = path.replaceAll(/\{\w+\+?\}/g, 'something');
  return httpApiEvent({
    method,
    url: keyIn.includes('query') ? `${url}?apiKey=${unknownKey}` : url,
    headers: [
      ...(keyIn.includes('query') ? [] : [['authorization', `Bearer ${unknownKey}`] as const]),
      ...(body ? [['content-type', 'application/json'] as const] : []),
    ],
    body: Buffer.from(body ? '{}' : ''),
    sourceIp: '127.0.0.1',
    requestId: 'bench',
    routeKey: gatewayRoutes({ name: '', endpoint: declared }).map((route) => `${route.method} ${route.path}`)[0] ?? '',
  });
}

/** What a visitor's first message meets, one after the other, after some time without calls. */
const firstMessage = ['visitor-session-open', 'conversation-open', 'message-send', 'ai-reply-stream'];

interface Link {
  readonly functions: 'single' | 'grouped';
  readonly start: Start;
}

/** The starts of the chain. With grouped functions, the later calls of a group meet the one that runs already. */
async function chainOf(
  bench: Workbench,
  endpoints: readonly EndpointFunction[],
  single: readonly Bundle[],
): Promise<Link[]> {
  const grouped = await bundleGroups(join(bench.folder, 'build', 'groups'));
  const links: Link[] = [];
  for (const name of firstMessage) {
    const endpoint = endpoints.find((found) => found.name === name);
    if (!endpoint) throw new Error(`There is no function ${name}.`);
    for (const [functions, bundles] of [
      ['single', single],
      ['grouped', grouped],
    ] as const) {
      const shared = functions === 'grouped' ? (groupOf(name) ?? name) : name;
      const file = bundles.find((bundle) => bundle.name === shared)?.file ?? '';
      if (links.some(({ start }) => start.file === file)) continue;
      const start = await startOf(bench, endpoint, file);
      links.push({ functions, start: { ...start, name: `${functions}: ${shared}` } });
    }
  }
  return links;
}

function chainTable(chain: readonly Link[]): string {
  const rows = (['single', 'grouped'] as const).map((functions) => {
    const starts = chain.filter((link) => link.functions === functions).map(({ start }) => start);
    const sum = (times: (start: Start) => number) => starts.reduce((total, start) => total + times(start), 0);
    const total = sum(({ toAnswer }) => median(toAnswer));
    return [functions, figure(starts.length), figure(total), figure(sum(({ cpu }) => median(cpu)))];
  });
  return table("Cold chain of a visitor's first message", ['functions', 'cold starts', 'median ms', 'CPU ms'], rows);
}

function coldTable(empty: Start, measured: readonly Start[]): string {
  const rows = measured.map(({ name, bytes, toAnswer, cpu, toEnd }) => {
    const ratio = median(toAnswer) / median(empty.toAnswer);
    return [
      name,
      figure(bytes / 1_000),
      figure(Math.min(...toAnswer)),
      figure(median(toAnswer)),
      name === empty.name ? times(ratio) : figureWithGoal(ratio, ratioMax, 'at most'),
      figure(median(cpu)),
      times(median(cpu) / median(empty.cpu)),
      figure(median(toEnd)),
      times(median(toEnd) / median(empty.toEnd)),
    ];
  });
  const title = `Cold start: from spawn to the first answer with one call to the table, ${starts} interleaved starts`;
  const ratio = 'to the empty one';
  const head = ['function', 'bundle KB', 'best ms', 'median ms', ratio, 'CPU ms', ratio, 'ms to exit', ratio];
  return table(title, head, rows);
}
