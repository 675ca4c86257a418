import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Container } from '#test/support/containers.ts';
import { Containers } from '#test/support/containers.ts';
import { History } from '#test/support/history/history.ts';
import { chef, openWorld, productsOf, registersOfWorld } from '#test/support/history/world.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { documentOf } from '#test/support/menu.ts';
import { allItems, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { withKey } from '#test/support/views.ts';
import type { Workspace } from '#test/support/workspace.ts';
import { type Document, importFile } from '#test/support/world.ts';

const reads = [
  'GET /api/public/cms/chefs/list?maxDepth=1',
  'GET /api/public/cms/chefs/chef_3?maxDepth=1',
  'GET /api/public/cms/things/list?maxDepth=2',
  'GET /api/public/menu/products?limit=100',
];

let world: Workspace<'forms'>;
let containers: Containers;
let before: Awaited<ReturnType<typeof allItems>>;

beforeAll(async () => {
  await openOwnTable();
  world = await openWorld();
  containers = await Containers.start(2);
  // The relations to products have a log, as they have after any update.
  await update(containers.at(0), 'first');
  before = await allItems();
});

afterAll(() => containers[Symbol.asyncDispose]());

const update = (container: Container, name: string) =>
  container.call('PATCH /api/public/cms/chefs/chef_3', {
    key: world.keys.editor,
    body: { values: { name: { en: name }, signature: productsOf(2) } },
  });

async function readAll(history: History, container: Container): Promise<void> {
  const key = world.keys.editor;
  for (const request of reads) {
    const start = history.step();
    const answer = await container.call(withKey(request, key), { key });
    history.saw(request, answer, start, history.step());
    if (request.includes('/menu/')) expectInMenu(answer.json);
  }
}

/** Expects cmsData to show the chef with its one product, which never changes. */
function expectInMenu({ data }: Document): void {
  const showing = data.filter(({ cmsData }: Document) => cmsData.chefs?.some(({ id }: Document) => id === 'chef_3'));
  expect(showing.map(({ id }: Document) => id)).toEqual(productsOf(2));
}

const importChef = (table: KillableTable) =>
  importFile(
    documentOf(world, { cms: { models: [], entries: [chef('chef_3', 'imported', productsOf(2))] } }),
    {},
    table.table,
  );

/** Imports the chef, and updates it in between. @returns how many writes the import made */
async function updateDuring(write: number): Promise<number> {
  await restoreItems(before);
  const history = new History(registersOfWorld());
  const a = containers.at(0);
  const b = containers.at(1);
  await readAll(history, a);
  const importStart = history.step();
  const table = new KillableTable(Number.POSITIVE_INFINITY, async (writes) => {
    if (writes !== write) return;
    await readAll(history, b);
    const start = history.step();
    const { status } = await update(a, 'updated');
    history.wrote('chef_3.name', 'updated', start, status === 200 ? history.step() : Number.POSITIVE_INFINITY);
    await readAll(history, b);
    await readAll(history, a);
  });
  expect((await importChef(table)).failures).toEqual([]);
  history.wrote('chef_3.name', 'imported', importStart, history.step());
  await readAll(history, a);
  await readAll(history, b);
  // The signature stays the same, so no write changes it.
  expect({ write, violations: history.violations() }).toEqual({ write, violations: [] });
  return table.writes;
}

it('an entry that is updated between any two writes of an import that changes it stays in cmsData', async () => {
  const writes = await updateDuring(-1);
  expect(writes).toBeGreaterThan(5);
  for (let write = 1; write < writes; write++) await updateDuring(write);
}, 600_000);
