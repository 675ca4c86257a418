import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { Table } from '#lib/table/table.ts';
import type { Answer } from '#test/support/call.ts';
import { Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { createdAt } from '#test/support/history/world.ts';
import { documentOf, product } from '#test/support/menu.ts';
import type { TableCall } from '#test/support/table-call.ts';
import { withKey } from '#test/support/views.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { importFile, testTable } from '#test/support/world.ts';

// The table imitates the conflicts and limits of AWS. A function must answer 200 within its time, which is under 3 s.
const proxy = await FaultProxy.start();
const containers = await Containers.start(4, proxy.url);
beforeEach(() => proxy.imitateAws());
afterEach(() => proxy.heal());
afterAll(async () => {
  await containers[Symbol.asyncDispose]();
  await proxy.stop();
});

const entryIds = Array.from({ length: 100 }, (_, index) => `chef_${index}`);

/** Entries of one database that products relate to by `cmsData` and that other entries relate to. */
const openChefs = (): Promise<Workspace> =>
  openWorkspace('kitchen', (document) => {
    document.menu.products = Array.from({ length: 10 }, (_, index) => product(`prod_${index}`));
    document.cms.entries = entryIds.map((id, index) => ({
      id,
      modelId: 'chefs',
      createdAt: createdAt(index),
      values: { name: { en: 'first' }, signature: [`prod_${index % 10}`], mentor: entryIds[(index + 1) % 100] },
    }));
  });

const statusesOf = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Starts so many calls a second for some seconds, and does not wait for their answers. @returns all answers */
async function callSteadily(perSecond: number, seconds: number, call: (number: number) => Promise<Answer>) {
  const answers: Promise<Answer>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < perSecond * seconds; number++) {
    await pause(Math.max(0, startedAt + (number * 1_000) / perSecond - performance.now()));
    answers.push(call(number));
  }
  return Promise.all(answers);
}

function updateIn(kitchen: Workspace) {
  const key = kitchen.keys.editor;
  return (number: number, id: string, name: string): Promise<Answer> =>
    containers.at(number).call(`PATCH /api/public/cms/chefs/${id}?maxDepth=0`, {
      key,
      body: { values: { name: { en: name } } },
    });
}

/** Retries after a 503, as clients do: this machine has fewer processors than a hundred containers. */
async function writeWithRetries(call: () => Promise<Answer>, tries = 5): Promise<Answer> {
  const answer = await call();
  if (answer.status !== 503 || tries === 1) return answer;
  await pause(1_000 * Number(answer.headers['retry-after']) * (1 + 2 * Math.random()));
  return writeWithRetries(call, tries - 1);
}

describe('updates of entries that products and other entries relate to, under the limits of AWS', () => {
  it('100 concurrent updates of different entries all succeed, and every container shows them all', async () => {
    const kitchen = await openChefs();
    const update = updateIn(kitchen);
    // Four warm containers do the work of a hundred.
    for (const [number] of containers.all.entries()) expect((await update(number, 'chef_0', 'warm')).status).toBe(200);
    const answers = await Promise.all(
      entryIds.map((id, number) => writeWithRetries(() => update(number, id, `new ${id}`))),
    );
    expect(statusesOf(answers)).toEqual({ 200: 100 });
    // No two writes have met, so none had to wait.
    expect(proxy.refusals).toEqual([]);
    const key = kitchen.keys.editor;
    for (const container of containers.all) {
      const { json } = await container.call('GET /api/public/cms/chefs/list?maxDepth=0&limit=100', { key });
      expect(json.map(({ name }: { name: { en: string } }) => name.en).sort()).toEqual(
        entryIds.map((id) => `new ${id}`).sort(),
      );
    }
  });

  it('20 updates a second for a minute all succeed', async () => {
    const kitchen = await openChefs();
    const update = updateIn(kitchen);
    const answers = await callSteadily(20, 60, (number) =>
      update(number, entryIds[number % 100] ?? '', `update ${number}`),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1_200 });
    expect(proxy.refusals).toEqual([]);
  });
});

/** The import writes in batches, and looks up by pointers which of its entries are stored. */
const isOfImport = ({ operation, input }: TableCall): boolean =>
  operation === 'BatchWriteItem' || (operation === 'BatchGetItem' && JSON.stringify(input).includes('#cms#chefs#id"'));

describe('an import of 20,000 entries beside 50 lists a second, under the limits of AWS', () => {
  it('completes, and every list is answered', async () => {
    const kitchen = await openChefs();
    const entries = Array.from({ length: 20_000 }, (_, index) => ({
      id: `new_${index}`,
      modelId: 'chefs',
      createdAt: createdAt(index % 100),
      values: { name: { en: `imported ${index}` } },
    }));
    // One list in eight is a whole page with its relations: all of them would take what a partition has.
    const requests = [
      'GET /api/public/cms/chefs/list?maxDepth=1&limit=100',
      ...[0, 20, 40, 60].map((offset) => `GET /api/public/cms/chefs/list?maxDepth=0&limit=20&offset=${offset}`),
      ...[1, 2].map((page) => `GET /api/public/menu/products?limit=5&page=${page}`),
      'GET /api/public/cms/chefs/list?maxDepth=1&limit=20',
    ];
    const key = kitchen.keys.editor;
    let isDone = false;
    const table = new Table({ client: tableClient('import', { endpoint: proxy.url }), name: testTable().name });
    const imported = importFile(documentOf(kitchen, { cms: { models: [], entries } }), {}, table).finally(() => {
      isDone = true;
    });
    const answers: Answer[] = [];
    while (!isDone) {
      answers.push(
        ...(await callSteadily(50, 1, (number) => {
          const request = requests[number % requests.length] ?? '';
          return writeWithRetries(() => containers.at(number + answers.length).call(withKey(request, key), { key }));
        })),
      );
    }
    expect((await imported).failures).toEqual([]);
    expect(statusesOf(answers)).toEqual({ 200: answers.length });
    // Only the import is so fast that it is throttled, at any speed of this machine. No reader reads its unfinished items.
    expect(proxy.refusals.filter((refused) => !isOfImport(refused))).toEqual([]);
    const totals = answers.map(({ headers }) => headers['x-cms-total']);
    expect(totals.filter((total) => total !== undefined && !['100', '20100'].includes(total))).toEqual([]);
    for (const container of containers.all) {
      const { headers } = await container.call('GET /api/public/cms/chefs/list?limit=1', { key });
      expect(headers['x-cms-total']).toBe('20100');
    }
  }, 900_000);
});
