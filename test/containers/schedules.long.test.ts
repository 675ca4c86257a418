import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import type { WrittenRecord } from '#lib/table/writer/change.ts';
import { applyChange } from '#test/support/apply-change.ts';
import { BundleProcess } from '#test/support/bundle-process.ts';
import { call } from '#test/support/call.ts';
import { advanceUntilDue, dueItems } from '#test/support/due-items.ts';
import { KillableFunctions, type KillPoint } from '#test/support/killable-functions.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { sharedBundles } from '#test/support/shared-bundles.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, testTable } from '#test/support/world.ts';

const hour = 60 * 60_000;
const count = 12;
const ids = Array.from({ length: count }, (_, index) => `note_${index}`);
const paths = [...ids.map((id) => `cms-entries/notes/${id}`), 'menu-products/prod_1', 'menu-products/prod_2'];

let file: string;
let room: Workspace<'records'>;
beforeAll(async () => {
  await openOwnTable();
  file = (await sharedBundles()).find(({ name }) => name === 'schedules-apply')?.file ?? '';
});
beforeEach(async () => {
  room = await openWorkspace('records', (document) => {
    const fields = [{ key: 'title', name: { en: 'Title' }, type: 'text' }];
    const entries = ids.map((id) => ({ id, modelId: 'notes', published: false, values: { title: id } }));
    document.cms = { models: [{ id: 'notes', name: { en: 'Notes' }, fields }], entries };
  });
});

/** The events of the schedule, as `type recordId`, each as often as it is in the feed. */
async function scheduledEvents(): Promise<string[]> {
  const found: Document[] = [];
  let after = '';
  for (let more = true; more; ) {
    const { json } = await call(`GET /api/v1/events?limit=100&after=${after}`, { key: room.keys.all });
    found.push(...json.data);
    [after, more] = [json.next, json.hasMore];
  }
  const own = found.filter(({ actor }) => actor.type === 'schedule');
  return own.map(({ type, recordId }) => `${type} ${recordId}`).sort();
}
const textOf = (time: number) => new Date(time).toISOString();
const recordIdOf = (path: string) => path.slice(path.indexOf('/') + 1);
const eventOf = (action: string) => (path: string) =>
  `${path.startsWith('cms') ? 'cms_entry' : 'menu_product'}.${action} ${recordIdOf(path)}`;

/** A process whose clock differs from that of this one. */
const withClock = (milliseconds: number): BundleProcess => {
  const shifted = `const Real = Date; globalThis.Date = class extends Real {
    constructor(...given) { if (given.length === 0) super(Real.now() + ${milliseconds}); else super(...given); }
    static now() { return Real.now() + ${milliseconds}; }
  };`;
  return new BundleProcess({}, ['--import', `data:text/javascript,${encodeURIComponent(shifted)}`]);
};

it('four containers whose clocks differ by 30 s make each change once, also those of an hour without a run', async () => {
  const [begin, end] = [Date.now() + hour, Date.now() + 1.5 * hour];
  const plan = async () => {
    const body = { published: false, publishAt: textOf(begin), unpublishAt: textOf(end) };
    for (const path of paths) expect((await room.manage(`PATCH ${path}`, body)).status).toBe(200);
  };
  await plan();
  const workers = [-30_000, 0, 15_000, 30_000].map(withClock);
  const runAt = (time: number) =>
    Promise.all(workers.map((worker) => worker.ask({ file, event: { time: textOf(time) } })));
  try {
    await runAt(begin - 1);
    expect(await scheduledEvents()).toEqual([]);
    await runAt(begin + 1_000);
    expect(await scheduledEvents()).toEqual(paths.map(eventOf('published')).sort());
    // The schedule was down for an hour: first one time has come meanwhile, then both.
    for (let round = 0; round < 3; round++) await runAt(end + hour);
    await plan();
    for (let round = 0; round < 3; round++) await runAt(end + hour);
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
  }
  const all = [...paths.map(eventOf('published')), ...paths.map(eventOf('unpublished'))];
  expect(await scheduledEvents()).toEqual([...all, ...all].sort());
  for (const path of paths) {
    const { json } = await room.manage(`GET ${path}`);
    expect(json).toMatchObject({ published: false, publishAt: null, unpublishAt: null });
  }
  expect(await dueItems('schedule')).toEqual([]);
});

/** Makes a time of an entry and one of a product due at once, as if it had come while no container ran. */
async function makeDue(): Promise<void> {
  const publishAt = new Date(Date.now() - 60_000).toISOString();
  const schema = await readCmsSchema(testTable(), room);
  const addresses = [
    { kind: 'cmsEntry', modelId: 'notes', id: 'note_1' },
    { kind: 'menuProduct', id: 'prod_1' },
  ] as const;
  for (const address of addresses) {
    const decide = async ({ record }: { record: object | undefined }) =>
      ({ ...record, published: false, publishAt }) as unknown as WrittenRecord;
    await applyChange(testTable(), room, { ...address, decide }, { now: new Date().toISOString(), schema });
  }
}

it('a container that is killed before or after any of its writes leaves each change to the next one, which makes it once', async () => {
  // Two claims, two changes, two ends.
  const deaths = [1, 2, 3, 4, 5, 6].flatMap((write): KillPoint[] => [
    { write, when: 'before' },
    { write, when: 'after' },
  ]);
  const functions = await KillableFunctions.start({ table: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '' }, deaths);
  const run = () => functions.invoke(file, { time: new Date().toISOString() });
  let rounds = 0;
  try {
    for (; functions.deathsLeft > 0 && rounds < 40; rounds++) {
      await makeDue();
      for (let runs = 0; (await dueItems('schedule')).length > 0; runs++) {
        expect(runs).toBeLessThan(10);
        await advanceUntilDue('schedule');
        await run();
      }
    }
    expect(functions.deathsLeft).toBe(0);
  } finally {
    await functions.stop();
  }
  const both = ['cms-entries/notes/note_1', 'menu-products/prod_1'].map(eventOf('published'));
  expect(await scheduledEvents()).toEqual(both.flatMap((event) => Array(rounds).fill(event)));
});
