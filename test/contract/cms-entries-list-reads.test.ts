import { describe, expect, it } from '@jest/globals';
import type { Meter } from '#lib/table/dynamodb/client.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { call } from '#test/support/call.ts';
import { listCosts } from '#test/support/list-costs.ts';
import { ageState } from '#test/support/old-log.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const ids = Array.from({ length: 12 }, (_, index) => `knot_${10 + index}`);

/** Every entry relates to every other and to one product, so each appears thousands of times. */
const { keys, workspaceId } = await openWorkspace('kitchen', ({ cms }) => {
  const many = (key: string, to: string) => ({
    key,
    name: { en: key },
    type: 'relation',
    relation: { to, many: true },
  });
  const label = { key: 'label', name: { en: 'Label' }, type: 'text' };
  const fields = [many('knots', 'cms:knots'), many('dishes', 'menu:product'), label];
  cms.models.push({ id: 'knots', name: { en: 'Knots' }, fields });
  cms.entries.push(...ids.map((id) => ({ id, modelId: 'knots', values: { knots: ids, dishes: ['prod_1'] } })));
});

/** The cost of a list at the table after equal lists. From the third one on, the log proves the key. */
async function costOf(query: string): Promise<Meter> {
  await ageState(workspaceId);
  await list(query);
  await list(query);
  return list(query);
}

const list = (query: string): Promise<Meter> => listCosts(`knots/list?${query}`, keys.reader);

const changeAnEntry = () =>
  call(`PATCH /api/public/cms/knots/${ids[11]}?fields=id`, { key: keys.chief, body: { values: { label: null } } });

describe('a list reads', () => {
  it('no entry of the page twice, however deep and often it is shown', async () => {
    const flat = await costOf('fields=knots(knots(knots(id)))&maxDepth=0');
    const deep = await costOf('fields=knots(knots(knots(id)))&maxDepth=3');
    expect(deep).toEqual(flat);
  });

  it('every related record one time, however deep and often it is shown', async () => {
    const query = 'limit=1&fields=knots(knots(id,dishes(id))),dishes(name)';
    const coldCostOf = (depth: number) => {
      containerMemory.makeRoom(Number.POSITIVE_INFINITY);
      return list(`${query}&maxDepth=${depth}`);
    };
    const [flat, deep] = [await coldCostOf(0), await coldCostOf(2)];
    const entries = ids.length - 1;
    const products = 1;
    // It tells once for each import whether lists show the products that it wrote. Then the product is read again.
    const menu = 2;
    // A cold container finds each entry through its pointer.
    expect(deep.readUnits - flat.readUnits).toBe(2 * entries + products + menu);
  });

  it('no related entry again until an entry of its database changes', async () => {
    const query = 'limit=1&fields=knots(knots(id))';
    const flat = await costOf(`${query}&maxDepth=0`);
    await costOf(`${query}&maxDepth=2`);
    const deep = await list(`${query}&maxDepth=2`);
    // The log tells this, and the list reads it anyway.
    expect(deep.readUnits - flat.readUnits).toBe(0);
    expect(deep.calls).toEqual({ Query: 2 });
    await changeAnEntry();
    const changed = await list(`${query}&maxDepth=2`);
    expect(changed.readUnits - deep.readUnits).toBeLessThanOrEqual(2);
  });

  it('the current related records, even if earlier answers showed them', async () => {
    const path = '/api/public/cms/knots/list?limit=1&offset=2&fields=knots(label)&maxDepth=1';
    const labels = async () => {
      const { json } = await call(`GET ${path}`, { key: keys.reader });
      return json[0].knots.map(({ label }: { label: string | null }) => label);
    };
    await labels();
    expect(await labels()).toEqual(ids.map(() => null));
    const body = { values: { label: 'Changed' } };
    expect((await call(`PATCH /api/public/cms/knots/${ids[5]}?fields=id`, { key: keys.chief, body })).status).toBe(200);
    expect(await labels()).toEqual(ids.map((_, index) => (index === 5 ? 'Changed' : null)));
  });

  it.each([0, 5, 11, 12, 1_000])('the end of the log and at most one range at offset %d', async (offset) => {
    const { calls, readUnits } = await costOf(`limit=1&fields=id&offset=${offset}`);
    const ranges = offset < ids.length ? 1 : 0;
    expect(calls).toEqual({ Query: 1 + ranges });
    expect(readUnits).toBe(1 + ranges);
  });

  it('no relations if it shows none', async () => {
    const shown = await costOf('limit=5&fields=knots&maxDepth=0');
    const not = await costOf('limit=5&fields=id');
    expect(not).toEqual(shown);
  });
});
