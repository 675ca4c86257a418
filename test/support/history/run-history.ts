import { setTimeout as pause } from 'node:timers/promises';
import { Containers } from '../containers.ts';
import { type Fault, FaultProxy } from '../fault-proxy.ts';
import type { TableCall } from '../table-call.ts';
import { Client, SharedWorld } from './clients.ts';
import { History } from './history.ts';
import { Random } from './random.ts';
import { openTalk } from './talk/run-talk.ts';
import { openWorld, registersOfWorld } from './world.ts';

export interface HistoryOptions {
  readonly seed: number;
  /** The number of operations on the menu, the CMS and forms. */
  readonly operations: number;
  /** The number of operations in conversations. */
  readonly talk: number;
  /** The number of clients of each of the two kinds. */
  readonly clients: number;
  readonly containers: number;
  /** The probability of a fault in a call of the table. */
  readonly faults: number;
  /** Whether clients import, too. @default true */
  readonly withImports?: boolean;
  /** How far the clocks of two containers are apart, in milliseconds. @default 0 */
  readonly clocksApart?: number;
  /** For so many milliseconds, one container after the other stands still. @default never */
  readonly standstill?: number;
}

/** The result of a run. */
export interface HistoryReport {
  readonly violations: readonly string[];
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Runs clients of one workspace in several containers while calls of the table fail, and judges all answers. */
export async function runHistory(options: HistoryOptions): Promise<HistoryReport> {
  const world = await openWorld();
  const proxy = await FaultProxy.start();
  await using containers = await Containers.start(0, proxy.url);
  for (let number = 0; number < options.containers; number++) {
    containers.open(shiftedClock(((number % 2) - 1 / 2) * (options.clocksApart ?? 0)));
  }
  const history = new History(registersOfWorld());
  const shared = new SharedWorld(containers, world, history, options.withImports ?? true);
  const talk = await openTalk(shared);
  const chance = new Random(options.seed);
  proxy.imitateAws();
  proxy.chance = (call) => (chance.isLikely(options.faults) ? faultOf(call, chance) : undefined);
  let left = options.operations;
  const clients = Array.from({ length: options.clients }, async (_, number) => {
    const client = new Client(shared, new Random(options.seed + number + 1));
    while (left-- > 0) await client.act();
  });
  const freezer = new Freezer(containers, options.standstill ?? 0);
  await Promise.all([...clients, talk.work(options.talk, options.clients, options.seed + options.clients + 1)]);
  await freezer.stop();
  proxy.heal();
  await judgeSubmits(shared);
  const faultsOfTalk = await talk.judge();
  await proxy.stop();
  return { violations: [...history.violations(), ...faultsOfTalk], statuses: Object.fromEntries(history.statuses) };
}

/** The options of a process whose clock is this number of milliseconds ahead. */
export function shiftedClock(milliseconds: number): string[] {
  if (milliseconds === 0) return [];
  const shifted = `const Own = Date; globalThis.Date = class extends Own {
    constructor(...given) { if (given.length > 0) super(...given); else super(Own.now() + ${milliseconds}); }
    static now() { return Own.now() + ${milliseconds}; }
  };`;
  return [`--import=data:text/javascript,${encodeURIComponent(shifted)}`];
}

/** Lets one container after the other stand still. */
class Freezer {
  readonly #containers: Containers;
  readonly #milliseconds: number;
  #isRunning = true;
  readonly #work: Promise<void>;

  constructor(containers: Containers, milliseconds: number) {
    this.#containers = containers;
    this.#milliseconds = milliseconds;
    this.#work = this.#run();
  }

  async #run(): Promise<void> {
    for (let number = 0; this.#isRunning && this.#milliseconds > 0; number++) {
      const container = this.#containers.at(number);
      container.freeze();
      const end = Date.now() + this.#milliseconds;
      while (this.#isRunning && Date.now() < end) await pause(100);
      container.thaw();
      await pause(1_000);
    }
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#work;
  }
}

const kinds: readonly (readonly [weight: number, fault: Fault])[] = [
  [3, { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 }],
  [3, { kind: 'error', type: 'InternalServerError', status: 500 }],
  [3, { kind: 'reset before' }],
  [3, { kind: 'reset after' }],
  [2, { kind: 'delay', milliseconds: 500 }],
  [0.3, { kind: 'hang' }],
];

function faultOf({ operation }: TableCall, chance: Random): Fault {
  const isBatch = operation.startsWith('Batch');
  return isBatch && chance.isLikely(0.3) ? { kind: 'unprocessed', parts: 'half' } : chance.pick(kinds);
}

/** Every acknowledged submit is stored once, every other at most once. */
async function judgeSubmits({ world, submitted, history }: SharedWorld): Promise<void> {
  const { responses } = await world.stored();
  for (const [note, isAcknowledged] of submitted) {
    const count = responses.filter(({ answers }) => answers.note === note).length;
    if (count > 1 || (isAcknowledged && count === 0))
      history.fault(`A submit (answered: ${isAcknowledged}) is stored ${count} times.`);
  }
}
