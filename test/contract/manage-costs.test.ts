import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from '@jest/globals';
import { type Fault, idleTurns } from '#test/support/fault-proxy.ts';
import { type TestedKind, testedKinds } from '#test/support/manage-kinds.ts';
import { ageState } from '#test/support/old-log.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import type { Input, TableCall } from '#test/support/table-call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

/**
 * Round trips and write units of each write, with those of the key (lib/spec/additions.md section 2). A write
 * takes three trips if the id of the entry was given and this container has not read the entry before: it reads the
 * pointer first.
 */
type Costs = Readonly<Record<'PUT' | 'PATCH' | 'DELETE' | 'POST', readonly [trips: number, units: number]>>;
const costs: Readonly<Record<string, Costs>> = {
  'menu-categories': { PUT: [2, 12], PATCH: [2, 10], DELETE: [3, 30], POST: [2, 12] },
  'menu-products': { PUT: [2, 14], PATCH: [2, 10], DELETE: [2, 10], POST: [2, 14] },
  'cms-entries': { PUT: [2, 14], PATCH: [3, 10], DELETE: [2, 10], POST: [2, 14] },
  forms: { PUT: [2, 10], PATCH: [2, 8], DELETE: [3, 28], POST: [2, 10] },
  agents: { PUT: [2, 8], PATCH: [2, 8], DELETE: [2, 6], POST: [2, 8] },
  channels: { PUT: [2, 10], PATCH: [3, 12], DELETE: [3, 28], POST: [2, 10] },
  // The recorded answer is noted with the customer, so that erasing finds it.
  customers: { PUT: [2, 14], PATCH: [2, 12], DELETE: [3, 30], POST: [2, 14] },
  members: { PUT: [2, 12], PATCH: [3, 8], DELETE: [3, 12], POST: [2, 12] },
};

const { manage, workspaceId } = await openWorkspace('records', (document) => {
  const title = { key: 'title', name: { en: 'Title' }, type: 'text', localized: true };
  document.cms = { models: [{ id: 'notes', name: { en: 'Notes' }, fields: [title] }] };
});
const proxy = await startTableProxy();

const trips = { count: 0, asked: 0, held: 0, over: undefined as Promise<void> | undefined };
/** Holds every answer until the service sends no further call without one, so that parallel calls are one trip. */
const holdReplies = (): Fault => {
  trips.asked++;
  const meanwhile = () => {
    trips.held++;
    trips.over ??= whenAllAsked();
    return trips.over;
  };
  return { kind: 'late', meanwhile };
};

async function whenAllAsked(): Promise<void> {
  trips.count++;
  for (let calm = 0, before = trips.asked; calm < idleTurns; calm++) {
    await pause(1);
    if (trips.held < trips.asked || before !== trips.asked) calm = 0;
    before = trips.asked;
  }
  trips.over = undefined;
}

/** Write units of DynamoDB for writes of up to 1 KB; those of a transaction count twice. */
function unitsOf({ operation, input }: TableCall): number {
  if (operation === 'TransactWriteItems') return 2 * input.TransactItems.length;
  if (operation === 'BatchWriteItem') return Object.values<Input[]>(input.RequestItems).flat().length;
  return operation === 'UpdateItem' || operation === 'PutItem' ? 1 : 0;
}

async function costOf(request: string, body?: object): Promise<readonly [trips: number, units: number]> {
  trips.count = 0;
  proxy.calls = [];
  const { status } = await manage(request, body, { headers: { 'Idempotency-Key': crypto.randomUUID() } });
  expect([request, status < 300]).toEqual([request, true]);
  return [trips.count, proxy.calls.reduce((sum, call) => sum + unitsOf(call), 0)];
}

async function costsOf({ kind, fresh, patch }: TestedKind, id: string): Promise<Costs> {
  const PUT = await costOf(`PUT ${kind}/${id}`, fresh(`${id}-${kind}`));
  const PATCH = await costOf(`PATCH ${kind}/${id}`, patch);
  // A container whose rows are outdated reads the changes before it deletes a category.
  await manage(`GET ${kind}`);
  const DELETE = await costOf(`DELETE ${kind}/${id}`);
  return { PUT, PATCH, DELETE, POST: await costOf(`POST ${kind}`, fresh(`made-${id}-${kind}`)) };
}

/** The minimum, because a pause of this machine may separate two parallel calls, but never joins two. */
const leastOf = (first: Costs, second: Costs): Costs =>
  Object.fromEntries(
    Object.entries(first).map(([verb, [own, units]]) => {
      const [others] = second[verb as keyof Costs];
      return [verb, [Math.min(own, others), units]] as const;
    }),
  ) as Costs;

async function expectCosts(kind: string, costsAt: (name: string) => Promise<Costs>): Promise<void> {
  proxy.heal();
  await ageState(workspaceId);
  await costsAt('warm');
  proxy.chance = holdReplies;
  let least = await costsAt('first');
  for (let tries = 1; tries < 12 && !isDeepStrictEqual(least, costs[kind]); tries++) {
    least = leastOf(least, await costsAt(`try-${tries}`));
  }
  expect(least).toEqual(costs[kind]);
}

it.each(testedKinds.map((tested) => [tested.kind, tested] as const))(
  'writes of %s stay within their costs',
  async (_, tested) => {
    await expectCosts(tested.kind, (name) => costsOf(tested, name));
  },
);

it('writes of cms-entries stay within their costs', async () => {
  const entries = {
    kind: 'cms-entries',
    fresh: (name: string) => ({ modelId: 'notes', values: { title: { en: name } } }),
    patch: { values: { title: { ar: 'جديد' } } },
  };
  await expectCosts(entries.kind, (id) => costsOf(entries as unknown as TestedKind, `notes/${id}`));
});

it('a time of a record costs one item more, its move two, and a write that leaves it nothing', async () => {
  proxy.heal();
  const times = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const bodies = [
    { name: { en: 'Plain' } },
    { publishAt: times[0] },
    { publishAt: times[1] },
    { name: { en: 'Timed' } },
  ];
  const units: number[] = [];
  for (const body of bodies) units.push((await costOf('PATCH menu-products/prod_1', body))[1]);
  const [plain = 0] = units;
  expect(units.map((own) => own - plain)).toEqual([0, 2, 4, 0]);
});

it('no write takes more than 40 write units', () => {
  const units = Object.values(costs).flatMap((ofKind) => Object.values(ofKind).map(([, own]) => own));
  expect(Math.max(...units)).toBeLessThanOrEqual(40);
});
