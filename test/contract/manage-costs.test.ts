import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { sequentialCalls } from '#test/bench/round-trips.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { type TestedKind, testedKinds } from '#test/support/manage-kinds.ts';
import { openManageKitchen } from '#test/support/manage-kitchen.ts';
import type { Input, TableCall } from '#test/support/table-call.ts';

/**
 * Round trips and write units of each write, with that of the key (lib/spec/additions.md section 2). Four and five are
 * where marks have to stand before the look for referrers begins, and the look be over before the transaction; four of
 * an entry is where this container has not seen its place, which a pointer tells.
 */
type Costs = Readonly<Record<'PUT' | 'PATCH' | 'DELETE' | 'POST', readonly [trips: number, units: number]>>;
const costs: Readonly<Record<string, Costs>> = {
  'menu-categories': { PUT: [3, 17], PATCH: [3, 15], DELETE: [5, 35], POST: [3, 17] },
  'menu-products': { PUT: [3, 19], PATCH: [3, 15], DELETE: [3, 15], POST: [3, 19] },
  'cms-entries': { PUT: [3, 17], PATCH: [4, 15], DELETE: [3, 15], POST: [3, 17] },
  forms: { PUT: [2, 12], PATCH: [2, 10], DELETE: [4, 30], POST: [2, 12] },
  agents: { PUT: [2, 10], PATCH: [2, 10], DELETE: [2, 8], POST: [2, 10] },
  channels: { PUT: [2, 12], PATCH: [3, 14], DELETE: [4, 30], POST: [2, 12] },
  customers: { PUT: [2, 16], PATCH: [2, 14], DELETE: [4, 34], POST: [2, 16] },
};

const { manage } = await openManageKitchen((document) => {
  const title = { key: 'title', name: {}, type: 'text', localized: true };
  document.cms = { models: [{ id: 'notes', name: {}, fields: [title] }] };
});
const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
const proxy = await FaultProxy.start(engine);
// The functions look for their table at their first call.
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;

let times: (readonly [from: number, to: number])[] = [];
const begun = new WeakMap<object, number>();
const begin = (message: unknown) => begun.set((message as { request: ClientRequest }).request, performance.now());
const end = (message: unknown) => {
  const { request } = message as { request: ClientRequest };
  const from = begun.get(request);
  // The proxy's own calls of the engine are those of the service once more.
  if (from !== undefined && proxy.url.endsWith(String(request.getHeader('host'))))
    times.push([from, performance.now()]);
};
subscribe('http.client.request.created', begin);
subscribe('http.client.response.finish', end);
afterAll(async () => {
  unsubscribe('http.client.request.created', begin);
  unsubscribe('http.client.response.finish', end);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = engine;
  await proxy.stop();
});

/** Writes of up to 1 KB as DynamoDB charges for them: those of a transaction twice. */
function unitsOf({ operation, input }: TableCall): number {
  if (operation === 'TransactWriteItems') return 2 * input.TransactItems.length;
  if (operation === 'BatchWriteItem') return Object.values<Input[]>(input.RequestItems).flat().length;
  return operation === 'UpdateItem' || operation === 'PutItem' ? 1 : 0;
}

async function costOf(request: string, body?: object): Promise<readonly [trips: number, units: number]> {
  [times, proxy.calls] = [[], []];
  const { status } = await manage(request, body, { headers: { 'Idempotency-Key': crypto.randomUUID() } });
  expect([request, status < 300]).toEqual([request, true]);
  return [sequentialCalls(times), proxy.calls.reduce((sum, one) => sum + unitsOf(one), 0)];
}

async function costsOf({ kind, fresh, patch }: TestedKind, id: string): Promise<Costs> {
  const PUT = await costOf(`PUT ${kind}/${id}`, fresh(`${id}-${kind}`));
  const PATCH = await costOf(`PATCH ${kind}/${id}`, patch);
  const DELETE = await costOf(`DELETE ${kind}/${id}`);
  return { PUT, PATCH, DELETE, POST: await costOf(`POST ${kind}`, fresh(`made-${id}-${kind}`)) };
}

/** A pause of this machine may part two calls, or have one repeated; it brings none together. */
const leastOf = (first: Costs, second: Costs): object =>
  Object.fromEntries(
    Object.entries(first).map(([verb, [trips, units]]) => {
      const [otherTrips, otherUnits] = second[verb as keyof Costs];
      return [verb, [Math.min(trips, otherTrips), Math.min(units, otherUnits)]] as const;
    }),
  );

async function expectCosts(kind: string, costsAt: (name: string) => Promise<Costs>): Promise<void> {
  proxy.heal();
  await costsAt('warm');
  // So calls that do not wait for each other are under way together.
  proxy.chance = () => ({ kind: 'delay', milliseconds: 25 });
  let least: object = await costsAt('first');
  for (let tries = 1; tries < 12 && !isDeepStrictEqual(least, costs[kind]); tries++) {
    least = leastOf(least as Costs, await costsAt(`try-${tries}`));
  }
  expect(least).toEqual(costs[kind]);
}

it.each(testedKinds.map((one) => [one.kind, one] as const))(
  'writes of %s cost no more than they do',
  async (_, one) => {
    await expectCosts(one.kind, (name) => costsOf(one, name));
  },
);

it('writes of cms-entries cost no more than they do', async () => {
  const one = {
    kind: 'cms-entries',
    fresh: (name: string) => ({ modelId: 'notes', values: { title: { en: name } } }),
    patch: { values: { title: { ar: 'جديد' } } },
  };
  await expectCosts(one.kind, (id) => costsOf(one as unknown as TestedKind, `notes/${id}`));
});

it('no write takes more than 40 write units', () => {
  const units = Object.values(costs).flatMap((one) => Object.values(one).map(([, own]) => own));
  expect(Math.max(...units)).toBeLessThanOrEqual(40);
});
