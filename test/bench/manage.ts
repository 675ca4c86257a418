import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Costs } from '#lib/local/stats.ts';
import { figure, figureWithGoal, median, table } from './figures.ts';
import { type HttpCall, HttpClient } from './http-load.ts';
import { importWorkspace, type LocalService, startLocalService } from './local-service.ts';
import { roundTripsOf } from './round-trips.ts';
import { secretOf, writeCategories, writeManagedWorkspace } from './sample-workspace.ts';
import { projectFolder, type Workbench } from './workbench.ts';

const sizes = [100, 10_000, 100_000];
const comparedSize = 100;
const callsEach = 40;
const ratioMax = 1.5;
const tripsMax = 3;

const verbs = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Verb = (typeof verbs)[number];

interface ManagedKind {
  readonly name: string;
  /** The body of a new record; `text` is unique. */
  readonly body: (text: string) => object;
  readonly patch: (text: string) => object;
  /** The prefix of its ids in addresses. */
  readonly below?: string;
}

const kinds: readonly ManagedKind[] = [
  {
    name: 'menu-products',
    body: (text) => ({ slug: text, name: { en: text }, categoryId: 'category-0' }),
    patch: (text) => ({ intro: { en: text } }),
  },
  {
    name: 'cms-entries',
    below: 'notes/',
    body: (text) => ({ modelId: 'notes', values: { slug: text, title: { en: text } } }),
    patch: (text) => ({ values: { title: { en: text } } }),
  },
  {
    name: 'forms',
    body: (text) => ({ slug: text, title: { en: text } }),
    patch: (text) => ({ title: { en: text } }),
  },
];

interface Case {
  readonly kind: ManagedKind;
  readonly verb: Verb;
  readonly items: number;
  cost?: { readonly roundTrips: number; readonly readUnits: number };
  readonly milliseconds: number[];
}

/**
 * Measures the cost and the duration of each management write, at sizes up to `itemsMax`. The local engine charges too
 * little for a transaction, so test/contract/manage-costs.test.ts counts the write units.
 */
export async function measureManagement(bench: Workbench, itemsMax: number): Promise<string> {
  const first = join(bench.folder, 'first.ndjson');
  await writeCategories(first, 'first', 1);
  const watchedBy = join(projectFolder, 'test/bench/call-times.ts');
  const service = await startLocalService(bench, { workspaces: [first], watchedBy });
  const client = new HttpClient(service.port);
  bench.running.defer(() => client.close());
  const cases: Case[] = [];
  for (const items of sizes.filter((count) => count <= itemsMax)) {
    bench.note(`Importing ${items} products, ${items} entries and ${items} forms`);
    const file = join(bench.folder, 'workspace.ndjson');
    await writeManagedWorkspace(file, workspaceId(items), items);
    await importWorkspace(bench, service, file);
    bench.note(`Measuring writes among ${items}`);
    for (const kind of kinds) cases.push(...(await casesOf(service, client, kind, items)));
  }
  return [costTable(cases), ratioTable(cases)].join('\n');
}

const workspaceId = (items: number): string => `managed-${items}`;

/** Repeats each verb, each time on another record. The first calls make the functions warm. */
async function casesOf(service: LocalService, client: HttpClient, kind: ManagedKind, items: number): Promise<Case[]> {
  const secret = secretOf(workspaceId(items));
  const ids: string[] = [];
  const cases: Case[] = [];
  for (const verb of verbs) {
    const measured: Case = { kind, verb, items, milliseconds: [] };
    for (let number = 0; number < callsEach; number++) {
      if (number === callsEach - 1) await reset(service, client);
      const calledAt = performance.now();
      const record = await write(client, callOf(kind, verb, ids[number], secret));
      if (number >= callsEach / 4) measured.milliseconds.push(performance.now() - calledAt);
      // The service makes the id, as for most records.
      if (verb === 'POST') ids.push(String(record?.id));
    }
    measured.cost = await costOf(service, client);
    cases.push(measured);
  }
  return cases;
}

/** @returns the written record, if there is one. @throws when the write is refused */
async function write(client: HttpClient, call: HttpCall): Promise<{ readonly id: string } | undefined> {
  const { status, body } = await client.call(call);
  if (status >= 300)
    throw new Error(`${call.method} ${call.path} answered ${status}: ${body.toString().slice(0, 300)}`);
  return body.length > 0 ? JSON.parse(body.toString()) : undefined;
}

function callOf(
  { name, below = '', body, patch }: ManagedKind,
  verb: Verb,
  id: string | undefined,
  secret: string,
): HttpCall {
  const path = `/api/v1/manage/${name}`;
  const text = `bench-${randomUUID()}`;
  const json = { POST: body(text), PUT: body(text), PATCH: patch(text), DELETE: undefined };
  const headers = { 'x-api-key': secret, 'content-type': 'application/json', 'idempotency-key': text };
  return {
    method: verb,
    path: id === undefined ? path : `${path}/${below}${id}`,
    headers,
    ...(json[verb] && { body: JSON.stringify(json[verb]) }),
  };
}

const stats = { path: '/_local/stats', headers: { host: 'localhost' } };

async function reset(service: LocalService, client: HttpClient): Promise<void> {
  await roundTripsOf(service);
  await client.call({ method: 'DELETE', ...stats });
}

async function costOf(service: LocalService, client: HttpClient): Promise<NonNullable<Case['cost']>> {
  const roundTrips = await roundTripsOf(service);
  const { dynamodb } = JSON.parse((await client.call({ method: 'GET', ...stats })).body.toString()) as Costs;
  return { roundTrips, readUnits: dynamodb.readUnits };
}

function costTable(cases: readonly Case[]): string {
  const rows = cases.map(({ kind, verb, items, cost, milliseconds }) => [
    `${verb} ${kind.name}`,
    String(items),
    String(cost?.roundTrips),
    figure(cost?.readUnits ?? Number.NaN),
    figure(median(milliseconds)),
  ]);
  const title = `Management writes: at most ${tripsMax} round trips, p50 at one connection`;
  return table(title, ['write', 'records', 'round trips', 'read units', 'p50 ms'], rows);
}

function ratioTable(cases: readonly Case[]): string {
  const largest = Math.max(...cases.map(({ items }) => items));
  if (largest <= comparedSize) return '';
  const rows = cases
    .filter(({ items }) => items === largest)
    .map(({ kind, verb, milliseconds }) => {
      const small = cases.find((other) => other.kind === kind && other.verb === verb && other.items === comparedSize);
      const ratio = median(milliseconds) / median(small?.milliseconds ?? []);
      return [`${verb} ${kind.name}`, figureWithGoal(ratio, ratioMax, 'at most')];
    });
  return table(
    `Management writes: p50 among ${largest} records to that among ${comparedSize}`,
    ['write', 'ratio'],
    rows,
  );
}
