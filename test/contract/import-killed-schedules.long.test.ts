import { beforeAll, expect, it } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { handler } from '#functions/schedules-apply/handler.ts';
import { scheduleMembers } from '#lib/domain/schedule.ts';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import type { Item } from '#lib/table/schema.ts';
import type { Table } from '#lib/table/table.ts';
import { dueItems } from '#test/support/due-items.ts';
import { killAtEveryWrite } from '#test/support/killable-table.ts';
import { allItems, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, importFile, testTable } from '#test/support/world.ts';

const hour = 60 * 60_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();
const [begin, end] = [inHours(1), inHours(2)];
const paths = ['cms-entries/notes/old', 'cms-entries/notes/new', 'menu-products/prod_1', 'menu-products/prod_new'];

let room: Workspace<'records'>;
let before: Item[];
const own: Document = {};

/** New and changed records with times, and one whose time moves. */
function changed(): Document {
  const document = structuredClone(own) as Document;
  const { entries } = document.cms;
  const { products } = document.menu;
  const times = { published: false, publishAt: begin, unpublishAt: end };
  document.cms.entries = [
    { ...entries[0], ...times },
    { ...entries[0], id: 'new', ...times },
  ];
  document.menu.products = [
    { ...products[0], ...times },
    { ...products[0], id: 'prod_new', slug: 'new', ...times },
  ];
  return document;
}

beforeAll(async () => {
  await openOwnTable();
  room = await openWorkspace('records', (document) => {
    const fields = [{ key: 'title', name: { en: 'Title' }, type: 'text' }];
    const entries = [{ id: 'old', modelId: 'notes', published: true, unpublishAt: inHours(5), values: {} }];
    document.cms = { models: [{ id: 'notes', name: { en: 'Notes' }, fields }], entries };
    Object.assign(own, structuredClone(document));
  });
  before = await allItems();
});

/** The times of the records without a due item. */
async function forgotten(): Promise<string[]> {
  const due = (await dueItems('schedule')).map(({ id, member, at }) => `${id} ${member} ${at}`);
  const records = await Promise.all(paths.map(async (path) => (await room.manage(`GET ${path}`)).json));
  const times = records.flatMap((record) =>
    scheduleMembers.filter((member) => record?.[member]).map((member) => `${record.id} ${member} ${record[member]}`),
  );
  return times.filter((time) => !due.includes(time));
}

it('an import that is killed between two writes forgets no time, and the next one completes it', async () => {
  const killed: number[] = [];
  const run = async (table: Table) => {
    await restoreItems(before);
    expect((await importFile(changed(), {}, table)).failures).toEqual([]);
  };
  await killAtEveryWrite(run, async (writes, isComplete) => {
    killed.push(writes);
    await removeAll(testTable(), [keys.importLease(room.workspaceId)]);
    expect([writes, await forgotten()]).toEqual([writes, []]);
    if (writes % 4 > 0 && !isComplete) return;
    if (!isComplete) expect((await importFile(changed())).failures).toEqual([]);
    const published = [];
    for (const time of [begin, end]) {
      const at = { time: new Date(Date.parse(String(time)) + 1).toISOString() } as ScheduledEvent;
      await handler(at, { getRemainingTimeInMillis: () => 60_000 });
      for (const path of paths) published.push((await room.manage(`GET ${path}`)).json.published);
    }
    expect([writes, published]).toEqual([writes, [...paths.map(() => true), ...paths.map(() => false)]]);
  });
  expect(killed.length).toBeGreaterThan(10);
});
