import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { Containers } from '#test/support/containers.ts';
import { killAtEveryWrite } from '#test/support/killable-table.ts';
import { documentOf } from '#test/support/menu.ts';
import { allItems, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { expectSameViews, TaggedBytes, type VisiblePart } from '#test/support/views.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, importFile, testTable } from '#test/support/world.ts';

let kitchen: Workspace;
let containers: Containers;
let before: Awaited<ReturnType<typeof allItems>>;
const tags = new TaggedBytes();

beforeAll(async () => {
  await openOwnTable();
  kitchen = await openWorkspace('kitchen');
  before = await allItems();
  containers = await Containers.start(2);
});
afterAll(() => containers[Symbol.asyncDispose]());

/** Renames products and entries, unpublishes one of them, adds one of each, and hides a field. */
function changed(): Document {
  const { cms, menu } = structuredClone(kitchen.document);
  const [chefs] = cms.models;
  chefs.fields.find(({ key }: Document) => key === 'joined').hidden = true;
  const [first, second, third] = cms.entries;
  first.values.name = { en: 'Renamed chef' };
  second.published = false;
  third.values.joined = '2026-03-03';
  cms.entries.push({ id: 'chef_6', modelId: 'chefs', values: { name: { en: 'New chef' }, signature: ['prod_1'] } });
  menu.products[0].name = { en: 'Renamed product' };
  menu.products.push({ ...menu.products[0], id: 'prod_4', slug: 'new', name: { en: 'New product' } });
  return documentOf(kitchen, { cms, menu });
}

async function sameViews(): Promise<Record<string, VisiblePart>> {
  const shown = await expectSameViews(containers.all, kitchen.keys.editor);
  for (const [view, { status, etag, text }] of Object.entries(shown)) {
    expect({ view, status }).toEqual({ view, status: 200 });
    tags.check(view, { status, text, headers: etag === undefined ? {} : { etag } });
  }
  return shown;
}

/** Every name that an answer shows for the product, at any depth. */
function namesOf(id: string, json: Document): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = json.id === id && json.name !== undefined ? [json.name.en] : [];
  return [...own, ...Object.values(json).flatMap((part) => namesOf(id, part))];
}

/** Expects relations to show a product as the menu does. */
function expectMenuInRelations(shown: Record<string, VisiblePart>): void {
  const names = ['GET /api/public/menu/products', 'GET /api/public/cms/chefs/list?includeProducts=true'].map(
    (view) => new Set(namesOf('prod_1', JSON.parse(shown[view]?.text ?? ''))),
  );
  expect(names[0]?.size).toBe(1);
  expect(names[1]).toEqual(names[0]);
}

describe('an import that is killed after one of its writes', () => {
  it('leaves all containers with the same answers for the same ETags, and the next import completes it', async () => {
    expect((await importFile(changed())).failures).toEqual([]);
    const expected = await expectSameViews(containers.all, kitchen.keys.editor);
    const run = async (table: Table) => {
      await restoreItems(before);
      await sameViews();
      expect((await importFile(changed(), {}, table)).failures).toEqual([]);
    };
    const check = async (_writes: number, isComplete: boolean) => {
      expectMenuInRelations(await sameViews());
      // Ends the lease of the killed import.
      await removeAll(testTable(), [keys.importLease(kitchen.workspaceId)]);
      if (!isComplete) expect((await importFile(changed())).failures).toEqual([]);
      const after = await sameViews();
      expect(Object.keys(after).filter((view) => withoutTimes(after[view]) !== withoutTimes(expected[view]))).toEqual(
        [],
      );
    };
    await killAtEveryWrite(run, check, { step: 2 });
  }, 900_000);
});

const withoutTimes = (part: VisiblePart | undefined): string | undefined =>
  part?.text.replaceAll(/"(created|updated)At":"[^"]*"/g, '');
