import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { figureWithGoal, median, percentile, table } from './figures.ts';
import { HttpClient } from './http-load.ts';
import { startLocalService } from './local-service.ts';
import type { Workbench } from './workbench.ts';

const receiversCount = 10;
const writes = 80;
const pauseMilliseconds = 250;
const medianMax = 2_000;
const ratioMax = 1.1;

const secret = 'webhooks-bench-key-0000000000';
const permissions = ['webhooks:webhook:read', 'webhooks:webhook:manage', 'menu:category:read', 'menu:category:manage'];
const workspace = {
  version: 1,
  workspace: { id: 'webhooks', name: 'Webhooks', defaultLanguage: 'en', languages: ['en'], currency: 'SAR' },
  apiKeys: [{ id: 'key_bench', name: 'Bench', secret, permissions }],
  menu: { categories: [{ id: 'cat_1', slug: 'one', name: { en: 'One' } }], products: [] },
};

interface Receiver {
  readonly url: string;
  /** When each event arrived, by the name of its record. */
  readonly arrivals: Map<string, number>;
  hangs: boolean;
}

/** Measures the time from a write to its arrival at ten receivers, and what one that hangs adds for the nine others. */
export async function measureWebhooks(bench: Workbench): Promise<string> {
  const file = join(bench.folder, 'workspace.json');
  await writeFile(file, JSON.stringify(workspace));
  const service = await startLocalService(bench, { workspaces: [file] });
  const client = new HttpClient(service.port);
  bench.running.defer(() => client.close());
  const receivers = await Promise.all(Array.from({ length: receiversCount }, () => startReceiver(bench)));
  for (const { url } of receivers) {
    await send(client, 'POST', '/webhooks', { url, types: ['menu_category.*'], apiKeyId: 'key_bench' });
  }
  await measure(client, receivers, 'warm');
  bench.note('Measuring ten receivers that answer');
  const calm = await measure(client, receivers, 'calm');
  bench.note('Measuring while one of them hangs');
  const [last] = receivers.slice(-1);
  if (last) last.hangs = true;
  const beside = await measure(client, receivers.slice(0, -1), 'beside');
  const ratio = percentile(beside, 95) / percentile(calm, 95);
  const row = (name: string, times: readonly number[]) => [
    name,
    figureWithGoal(median(times), medianMax, 'at most', (value) => `${Math.round(value)} ms`),
    `${Math.round(percentile(times, 95))} ms`,
  ];
  return [
    table(
      'From the answer of a write to its arrival',
      ['', 'p50', 'p95'],
      [row('ten receivers', calm), row('nine beside one that hangs', beside)],
    ),
    `p95 beside one that hangs: ${figureWithGoal(ratio, ratioMax, 'at most')}`,
  ].join('\n');
}

async function startReceiver({ running }: Workbench): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
    arrivals.set(body.data.record?.name?.en ?? '', performance.now());
    if (!receiver.hangs) response.writeHead(204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  running.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/`, arrivals, hangs: false };
  return receiver;
}

/** @returns the milliseconds of each arrival */
async function measure(client: HttpClient, receivers: readonly Receiver[], phase: string): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < writes; number++) {
    const name = `${phase} ${number}`;
    await send(client, 'PUT', `/menu-categories/cat_${phase}_${number}`, {
      slug: `${phase}-${number}`,
      name: { en: name },
    });
    const answeredAt = performance.now();
    for (const deadline = answeredAt + 20_000; performance.now() < deadline; await pause(5)) {
      if (receivers.every(({ arrivals }) => arrivals.has(name))) break;
    }
    times.push(...receivers.map(({ arrivals }) => Math.max(0, (arrivals.get(name) ?? Number.NaN) - answeredAt)));
    await pause(Math.random() * pauseMilliseconds);
  }
  return times;
}

async function send(client: HttpClient, method: string, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const { status, body: answer } = await client.call({
    method,
    path: `/api/v1/manage${path}`,
    headers,
    body: JSON.stringify(body),
  });
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${answer.toString().slice(0, 300)}`);
}
