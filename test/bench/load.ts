import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { windowMilliseconds } from '#lib/table/log/change-log.ts';
import { figure, figureWithGoal, median, percentile, table } from './figures.ts';
import { type HttpCall, HttpClient } from './http-load.ts';
import { loadPicture } from './load-picture.ts';
import { type LoadTarget, type Workload, workloads } from './load-target.ts';
import { startOwnTarget } from './own-target.ts';
import { startPeers } from './peer-targets.ts';
import { cpuMilliseconds } from './process-usage.ts';
import type { Workbench } from './workbench.ts';

const connections = 8;
const rounds = 3;
const millisecondsPerRound = 4_000;
const requestsPerRound = 200;
const warmUpMilliseconds = 4_000;
/** The first thousand requests of a process cost several times as much as later ones. */
const warmUpRequests = 1_000;
const aloneMilliseconds = 2_000;
const idleMilliseconds = 10_000;

/** CPU time per millisecond, of a service and of its engine. */
interface CpuShare {
  readonly own: number;
  readonly engine: number;
}

/** The measurements of one service and one workload. */
interface Load {
  readonly workload: Workload;
  readonly target: LoadTarget;
  readonly idle: CpuShare;
  bytes: number;
  requests: number;
  cpu: number;
  engineCpu: number;
  readonly perSecond: number[];
  readonly latencies: number[];
  /** The latency with one connection. */
  alone: readonly number[];
}

/**
 * Measures requests per second and CPU time per request of our service, and of the services in PEERS_DIR. All of them
 * run during the whole measurement. They are measured in turn, so that other load affects them equally.
 */
export async function measureLoad(bench: Workbench): Promise<string> {
  const peersFolder = process.env['PEERS_DIR'];
  bench.note('Starting the service');
  const own = await startOwnTarget(bench);
  const targets = [own, ...(peersFolder ? await startPeers(bench, peersFolder) : [])];
  bench.note('Waiting for the minute in which ours reads more, because its data is new');
  await pause(windowMilliseconds);
  bench.note('Measuring what each service does without requests');
  const idle = await Promise.all(targets.map(idleShareOf));
  const all: Load[] = [];
  for (const workload of Object.keys(workloads) as Workload[]) {
    bench.note(`Measuring ${workloads[workload].name}`);
    const loads = targets.map((target, index) => newLoad(workload, target, idle[index] ?? { own: 0, engine: 0 }));
    for (const load of loads) await warmUp(load);
    for (let round = 0; round < rounds; round++) for (const load of loads) await measureRound(load);
    for (const load of loads) await measureAlone(load);
    // A run takes minutes, so each result is printed when it is ready.
    bench.note(loadTable(loads));
    all.push(...loads);
  }
  if (!peersFolder) return [loadTable(all), withoutPeers].join('\n');
  await writeFile(pictureFile, pictureOf(all));
  return [loadTable(all), ratioTable(all), `\nDrawn in ${pictureFile}.`].join('\n');
}

const pictureFile = join(import.meta.dirname, 'load.svg');

const pictureOf = (loads: readonly Load[]): string =>
  loadPicture(
    Array.from(
      Map.groupBy(loads, ({ workload }) => workload),
      ([workload, ofWorkload]) => ({
        workload: workloads[workload].name,
        services: ofWorkload.map((load) => ({
          service: load.target.name,
          cpu: cpuPerRequest(load),
          speed: speed(load),
        })),
      }),
    ),
  );

const withoutPeers = '\nPEERS_DIR is not set, so there is nothing to compare with.';

const newLoad = (workload: Workload, target: LoadTarget, idle: CpuShare): Load => ({
  workload,
  target,
  idle,
  bytes: 0,
  requests: 0,
  cpu: 0,
  engineCpu: 0,
  perSecond: [],
  latencies: [],
  alone: [],
});

/** Subtracts the CPU time of a service without requests. Ours looks for unsent mail every second. */
async function idleShareOf({ pids, enginePids }: LoadTarget): Promise<CpuShare> {
  await pause(idleMilliseconds / 2);
  const before = cpuMilliseconds(pids());
  const engineBefore = cpuMilliseconds(enginePids());
  await pause(idleMilliseconds);
  const own = cpuMilliseconds(pids()) - before;
  const engine = cpuMilliseconds(enginePids()) - engineBefore;
  return { own: own / idleMilliseconds, engine: engine / idleMilliseconds };
}

async function warmUp(load: Load): Promise<void> {
  await withClient(load, async (client, call) => {
    load.bytes = (await client.callSuccessfully(call)).body.length;
    await client.load(call, { connections, milliseconds: warmUpMilliseconds, requestsMin: warmUpRequests });
  });
}

async function measureRound(load: Load): Promise<void> {
  await withClient(load, async (client, call) => {
    const { pids, enginePids } = load.target;
    const before = cpuMilliseconds(pids());
    const engineBefore = cpuMilliseconds(enginePids());
    const { milliseconds, latencies } = await client.load(call, {
      connections,
      milliseconds: millisecondsPerRound,
      requestsMin: requestsPerRound,
    });
    load.cpu += cpuMilliseconds(pids()) - before - load.idle.own * milliseconds;
    load.engineCpu += cpuMilliseconds(enginePids()) - engineBefore - load.idle.engine * milliseconds;
    load.requests += latencies.length;
    load.perSecond.push((latencies.length / milliseconds) * 1_000);
    load.latencies.push(...latencies);
  });
}

async function measureAlone(load: Load): Promise<void> {
  await withClient(load, async (client, call) => {
    load.alone = (await client.load(call, { connections: 1, milliseconds: aloneMilliseconds })).latencies;
  });
}

/** Opens new connections each time, because a server may have closed idle ones. */
async function withClient(
  { target, workload }: Load,
  use: (client: HttpClient, call: HttpCall) => Promise<void>,
): Promise<void> {
  const client = new HttpClient(target.port);
  const { list20, update } = target.calls;
  const updates = workload === 'mixed' ? new Pacer(client, update) : undefined;
  try {
    await use(client, workload === 'mixed' ? list20 : target.calls[workload]);
  } finally {
    await updates?.stop();
    client.close();
  }
}

const millisecondsPerUpdate = 50;

/** Sends a call at a steady rate, however long each takes. */
class Pacer {
  readonly #sent = new Set<Promise<unknown>>();
  readonly #timer: NodeJS.Timeout;

  constructor(client: HttpClient, call: HttpCall) {
    this.#timer = setInterval(() => this.#sent.add(client.callSuccessfully(call)), millisecondsPerUpdate);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#sent);
  }
}

const cpuPerRequest = ({ cpu, requests }: Load): number => cpu / requests;
const speed = ({ perSecond }: Load): number => median(perSecond);

function loadTable(loads: readonly Load[]): string {
  const rows = loads.map((load) => [
    workloads[load.workload].name,
    load.target.name,
    String(load.bytes),
    figure(cpuPerRequest(load)),
    load.target.enginePids().length === 0 ? '' : figure(load.engineCpu / load.requests),
    figure(load.idle.own * 1_000),
    figure(speed(load)),
    figure(median(load.latencies)),
    figure(percentile(load.latencies, 99)),
    figure(median(load.alone)),
  ]);
  const head = [
    'workload',
    'service',
    'bytes',
    'CPU ms',
    'engine CPU ms',
    'idle ms/s',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'p50 ms alone',
  ];
  return table(
    `Load: ${connections} connections; CPU time is that of a request, without what the idle service uses`,
    head,
    rows,
  );
}

/** The best of the others in each figure, not necessarily the same service. */
function ratioTable(loads: readonly Load[]): string {
  const rows = Object.entries(workloads).map(([workload, { name, cpuGoal, speedGoal }]) => {
    const [own, ...peers] = loads.filter((load) => load.workload === workload);
    if (!own) return [name];
    const leanest = peers.reduce((best, peer) => (cpuPerRequest(peer) < cpuPerRequest(best) ? peer : best));
    const fastest = peers.reduce((best, peer) => (speed(peer) > speed(best) ? peer : best));
    return [
      name,
      leanest.target.name,
      figureWithGoal(cpuPerRequest(leanest) / cpuPerRequest(own), cpuGoal, 'at least'),
      fastest.target.name,
      figureWithGoal(speed(own) / speed(fastest), speedGoal, 'at least'),
    ];
  });
  const head = ['workload', 'least CPU of others', 'its CPU to ours', 'fastest of others', 'our requests/s to its'];
  return table('Load: beside the best of the others', head, rows);
}
