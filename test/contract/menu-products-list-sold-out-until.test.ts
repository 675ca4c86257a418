import { describe, expect, it } from '@jest/globals';
import { compactCollection } from '#lib/table/collection/compact-collections.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import { menuScope } from '#lib/table/menu/menu-index.ts';
import { call } from '#test/support/call.ts';
import { callTool } from '#test/support/demo-tools.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { callList, documentOf, idsOf, product, timeAtSecond, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const hour = 3_600_000;
const { start, itIs: setDate } = freezeDate();
const at = (hours: number): string => new Date(start + hours * hour).toISOString();
/** Sets the clock so many hours later. */
const itIs = (hours: number) => setDate(hours * hour);

const openTimedMenu = () =>
  openWorkspace(
    'kitchen',
    withProducts([
      product('lunch', { soldout: true, soldoutUntil: at(1), createdAt: timeAtSecond(4) }),
      product('dinner', { soldout: true, soldoutUntil: at(2), createdAt: timeAtSecond(3) }),
      product('gone', { soldout: true, soldoutUntil: null, createdAt: timeAtSecond(2) }),
      product('there', { soldout: false, soldoutUntil: at(1), createdAt: timeAtSecond(1) }),
    ]),
  );

describe('a product that is sold out until a time', () => {
  it('is available in lists and filters from exactly that millisecond on', async () => {
    const { reader } = (await openTimedMenu()).keys;
    const soldOut = () => idsOf('products', reader, 'soldout=true');
    const available = () => idsOf('products', reader, 'soldout=false');
    expect(await soldOut()).toEqual(['lunch', 'dinner', 'gone']);
    setDate(hour - 1);
    expect(await soldOut()).toEqual(['lunch', 'dinner', 'gone']);
    itIs(1);
    expect(await soldOut()).toEqual(['dinner', 'gone']);
    expect(await available()).toEqual(['lunch', 'there']);
    itIs(2);
    expect(await soldOut()).toEqual(['gone']);
    const { json } = await callList('products', reader);
    expect(json.data.map(({ soldout }: { soldout: boolean }) => soldout)).toEqual([false, false, true, false]);
    itIs(0);
    expect(await soldOut()).toEqual(['lunch', 'dinner', 'gone']);
  });

  it.each([
    ['products', ''],
    ['products', 'includeCmsData=false&ids=lunch'],
    ['categories', 'includeProducts=true'],
  ] as const)('changes the ETag of %s?%s, so that no outdated copy is confirmed', async (list, query) => {
    const { reader } = (await openTimedMenu()).keys;
    const ask = (ifNoneMatch: string) =>
      call(`GET /api/public/menu/${list}?${query}&apiKey=${reader}`, { headers: { 'if-none-match': ifNoneMatch } });
    const before = await ask('""');
    const tag = before.headers['etag'] ?? '';
    setDate(hour - 1);
    expect((await ask(tag)).status).toBe(304);
    itIs(1);
    const after = await ask(tag);
    expect(after.status).toBe(200);
    expect(after.text).toBe(before.text.replace('"soldout":true', '"soldout":false'));
    expect((await ask(after.headers['etag'] ?? '')).status).toBe(304);
  });

  it('is available in relations from that time on', async () => {
    const { keys } = await openWorkspace('kitchen', ({ menu }) =>
      Object.assign(menu.products[0], { soldout: true, soldoutUntil: at(1) }),
    );
    const path = 'GET /api/public/cms/chefs/list?limit=1&fields=signature(soldout)';
    const before = await call(path, { key: keys.reader });
    expect(before.json[0].signature[0]).toEqual({ id: 'prod_1', soldout: true });
    itIs(1);
    const headers = { 'if-none-match': before.headers['etag'] ?? '' };
    const after = await call(path, { key: keys.reader, headers });
    expect([after.status, after.json[0].signature[0]]).toEqual([200, { id: 'prod_1', soldout: false }]);
  });

  it("is available in an agent's answers from that time on", async () => {
    const { workspaceId } = await openTimedMenu();
    const found = async (input: object) =>
      (await callTool({ workspaceId }, 'search_menu', input)).json.results.map(
        ({ id, soldOut }: { id: string; soldOut: boolean }) => `${id} ${soldOut}`,
      );
    expect(await found({ soldOut: true })).toEqual(['lunch true', 'dinner true', 'gone true']);
    expect((await callTool({ workspaceId }, 'get_product', { id: 'lunch' })).json.soldOut).toBe(true);
    itIs(1);
    expect(await found({ soldOut: true })).toEqual(['dinner true', 'gone true']);
    expect(await found({ query: 'lunch' })).toEqual(['lunch false']);
    expect((await callTool({ workspaceId }, 'get_product', { id: 'lunch' })).json.soldOut).toBe(false);
  });

  it('is stored and exported as given, whatever the time, even after a compaction', async () => {
    const kitchen = await openTimedMenu();
    const { workspaceId, document, keys } = kitchen;
    itIs(3);
    expect(await idsOf('products', keys.reader, 'soldout=true')).toEqual(['gone']);
    expect((await load(documentOf(kitchen, { menu: document.menu }))).changed).toBe(0);
    await compactCollection(testTable(), menuScope({ workspaceId }));
    const stored = await new Menu(testTable(), { workspaceId }).findProduct('lunch');
    expect(stored).toMatchObject({ soldout: true, soldoutUntil: at(1) });
    itIs(0);
    expect(await idsOf('products', keys.reader, 'soldout=true')).toEqual(['lunch', 'dinner', 'gone']);
  });

  it('accepts a time in any zone', async () => {
    const zoned = new Date(start + 3 * hour).toISOString().replace('Z', '+02:00');
    const { keys } = await openWorkspace(
      'kitchen',
      withProducts([product('a', { soldout: true, soldoutUntil: zoned })]),
    );
    expect(await idsOf('products', keys.reader, 'soldout=true')).toEqual(['a']);
    itIs(1);
    expect(await idsOf('products', keys.reader, 'soldout=true')).toEqual([]);
  });
});
