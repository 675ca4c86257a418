import { setTimeout as pause } from 'node:timers/promises';
import type { Costs } from '#lib/local/stats.ts';
import { askModel, ChatService, type Model, type Streamed, scriptOf, startModels } from './chat-service.ts';
import { figure, figureWithGoal, median, table } from './figures.ts';
import { measureHeldOut } from './held-out/report.ts';
import { HttpClient } from './http-load.ts';
import { roundTripsOf } from './round-trips.ts';
import type { Workbench } from './workbench.ts';

const rounds = 20;
const addedMillisecondsMax = 30;
const bytesRatioMax = 150;
const longReplyTokens = 2_000;
/** In tokens per second. */
const rates = [30, 60, 100];

/** Measures the time that the service adds to the model's, the bytes of a long reply, and the cost of a reply. */
export async function measureReplies(bench: Workbench): Promise<string> {
  const heldOut = await measureHeldOut(bench);
  const models = await startModels(bench);
  const service = await ChatService.start(bench, models);
  const costs = await costsOf(bench, service, models, 'no bound');
  const delays = await measureFirstWords(bench, service, models);
  const bytes = await measureBytes(bench, service, models);
  await service.local.child.stop();
  const bounded = await ChatService.start(bench, models, { AI_TOKENS_PER_DAY: '1000000000' });
  costs.push(...(await costsOf(bench, bounded, models, 'bound of tokens')));
  const head = ['reply', 'tokens a day', 'calls', 'round trips', 'read units', 'write units'];
  return [heldOut, delays, bytes, table('AI replies: what one costs', head, costs)].join('\n');
}

/** Alternates between the service and the model, so that both run under the same load. */
async function measureFirstWords(bench: Workbench, service: ChatService, models: readonly Model[]): Promise<string> {
  const rows: string[][] = [];
  for (const { milliseconds, tokens } of [
    { milliseconds: 0, tokens: 20 },
    { milliseconds: 25, tokens: 10 },
  ]) {
    for (const model of models) {
      bench.note(`Asking ${model.wire} ${rounds} times, ${milliseconds} ms a token`);
      const own: number[] = [];
      const ours: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        model.server.answer(scriptOf(tokens, milliseconds));
        const bare = await whole(askModel(model));
        const added = await whole(service.ask(model.wire));
        // The first call has to open connections.
        if (round === 0) continue;
        own.push(bare);
        ours.push(added);
      }
      rows.push(delayRow(`${model.wire}, ${milliseconds} ms a token`, own, ours));
    }
  }
  const head = [
    'model',
    'its own p50 ms',
    'ours p50 ms',
    'added at best',
    'added at p50',
    `goal (at most ${addedMillisecondsMax})`,
  ];
  return table(`AI replies: time to the first delta, ${rounds} replies each`, head, rows);
}

/** @returns milliseconds until the first word, after the whole stream has arrived */
async function whole(asked: Promise<Streamed>): Promise<number> {
  const { milliseconds, ended } = await asked;
  await ended;
  return milliseconds;
}

function delayRow(name: string, own: readonly number[], ours: readonly number[]): string[] {
  const added = median(ours) - median(own);
  const met = added <= addedMillisecondsMax ? 'met' : 'missed';
  const atBest = Math.min(...ours) - Math.min(...own);
  return [name, figure(median(own)), figure(median(ours)), figure(atBest), figure(added), met];
}

/** Runs all rates concurrently, so that the measurement takes as long as the slowest. */
async function measureBytes(bench: Workbench, service: ChatService, models: readonly Model[]): Promise<string> {
  const [model] = models;
  if (!model) throw new Error('There is no model to ask.');
  const seconds = Math.ceil(longReplyTokens / Math.min(...rates));
  bench.note(`Streaming replies of ${longReplyTokens} tokens, which takes ${seconds} seconds`);
  model.server.answer(...rates.map((rate) => scriptOf(longReplyTokens, 1_000 / rate)));
  const streams: Streamed[] = [];
  // Each begins after the previous one has begun, because the model takes its scripts in order.
  for (const _ of rates) streams.push(await service.ask(model.wire));
  const rows = await Promise.all(
    streams.map(async ({ ended }) => {
      const { text, bytes, milliseconds } = await ended;
      const reply = JSON.parse(text.trimEnd().split('\n\n').at(-1)?.slice('data: '.length) ?? '');
      if (reply.type !== 'done') throw new Error(`A long reply ended with ${JSON.stringify(reply)}.`);
      return [
        figure(longReplyTokens / (milliseconds / 1_000)),
        figure(reply.text.length),
        String(text.split('\n\n').length - 1),
        figure(bytes / 1_024),
        figureWithGoal(bytes / reply.text.length, bytesRatioMax, 'at most'),
      ];
    }),
  );
  const head = ['tokens a second', 'characters', 'events', 'KB on the wire', "to the reply's length"];
  return table(`AI replies: bytes of ${longReplyTokens} tokens`, head, rows);
}

/** Measures a new reply and a replay of it, by a warm function. */
async function costsOf(
  bench: Workbench,
  service: ChatService,
  [model]: readonly Model[],
  bound: string,
): Promise<string[][]> {
  if (!model) throw new Error('There is no model to ask.');
  const client = new HttpClient(service.local.port);
  bench.running.defer(() => client.close());
  model.server.answer(scriptOf(20, 0));
  await whole(service.ask(model.wire));
  const rows: string[][] = [];
  for (const [name, ask] of [
    ['new', () => service.ask(model.wire)],
    ['repeated', () => service.repeat(model.wire)],
  ] as const) {
    const stats = { path: '/_local/stats', headers: { host: 'localhost' } };
    await client.call({ method: 'DELETE', ...stats });
    await roundTripsOf(service.local);
    await whole(ask());
    // A function ends shortly after its stream.
    await pause(200);
    const { dynamodb } = JSON.parse((await client.call({ method: 'GET', ...stats })).body.toString()) as Costs;
    const calls = Object.entries(dynamodb.calls).sort();
    rows.push([
      name,
      bound,
      calls.map(([operation, count]) => `${count} ${operation}`).join(', '),
      String(await roundTripsOf(service.local)),
      figure(dynamodb.readUnits),
      figure(dynamodb.writeUnits),
    ]);
  }
  return rows;
}
