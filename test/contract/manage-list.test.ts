import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { testedKinds } from '#test/support/manage-kinds.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('records', (document) => {
  document.menu.products.push({
    id: 'prod_4',
    slug: 'hidden',
    name: { en: 'Soup' },
    categoryId: 'cat_2',
    published: false,
    soldout: true,
    createdAt: '2026-01-01T00:00:03.000Z',
  });
});
const other = await openWorkspace('records');

const idsIn = ({ json }: { json: { data: { id: string }[] } }) => json.data.map(({ id }) => id);

async function walk({ manage }: Workspace<'records'>, kind: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const answer = await manage(`GET ${kind}?${query}${cursor && `&cursor=${cursor}`}`);
    expect(answer.status).toBe(200);
    ids.push(...idsIn(answer));
    if (answer.json.next === null) return ids;
    cursor = answer.json.next;
  }
}

describe.each(testedKinds.map((tested) => [tested.kind, tested] as const))('GET %s', (kind, { fresh }) => {
  it('lists every record one time in a walk by cursor, during any writes', async () => {
    const all = await walk(kitchen, kind, 'limit=100');
    expect(all.length).toBeGreaterThan(1);
    expect(new Set(all).size).toBe(all.length);
    expect(await walk(kitchen, kind, 'limit=1')).toEqual(all);
    const first = await kitchen.manage(`GET ${kind}?limit=1`);
    const made = await kitchen.manage(`POST ${kind}`, fresh(`during-${kind}`));
    const rest: string[] = [];
    for (let { next } = first.json; next !== null; ) {
      const page = await kitchen.manage(`GET ${kind}?limit=1&cursor=${next}`);
      rest.push(...idsIn(page));
      next = page.json.next;
    }
    expect([...idsIn(first), ...rest].filter((id) => id !== made.json.id)).toEqual(all);
    expect(await walk(kitchen, kind, 'limit=2')).toContain(made.json.id);
    expect(await walk(other, kind, 'limit=2')).not.toContain(made.json.id);
    await kitchen.manage(`DELETE ${kind}/${made.json.id}`);
  });

  it('answers stored records, and 304 without changes', async () => {
    const { json, headers } = await kitchen.manage(`GET ${kind}?limit=1`);
    expect((await kitchen.manage(`GET ${kind}/${json.data[0].id}`)).json).toEqual(json.data[0]);
    const again = await kitchen.manage(`GET ${kind}?limit=1`, undefined, {
      headers: { 'if-none-match': headers['etag'] ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('searches names, slugs and ids by folded words', async () => {
    const { json } = await kitchen.manage(`POST ${kind}`, { ...fresh(`findme-${kind}`), id: `ID.${kind}` });
    expect(await walk(kitchen, kind, 'q=FINDME&limit=1')).toEqual([json.id]);
    expect(await walk(kitchen, kind, `q=id.${kind}%20findme`)).toEqual([json.id]);
    expect(await walk(kitchen, kind, 'q=findme%20nothing')).toEqual([]);
    await kitchen.manage(`DELETE ${kind}/${json.id}`);
  });

  it('refuses a cursor of another list, and limits out of range', async () => {
    const { json } = await kitchen.manage(`GET ${kind}?limit=1`);
    const faultOf = async (query: string, at = kitchen) => {
      const answer = await at.manage(`GET ${kind}?${query}`);
      const [issue] = answer.json.errors;
      return [answer.status, answer.json.code, issue.path, issue.code];
    };
    expect(await faultOf(`cursor=${json.next}x`)).toEqual([400, 'invalid_query', 'cursor', 'format']);
    expect(await faultOf(`cursor=${json.next}&q=x`)).toEqual([400, 'invalid_query', 'cursor', 'format']);
    expect(await faultOf(`cursor=${json.next}`, other)).toEqual([400, 'invalid_query', 'cursor', 'format']);
    expect(await faultOf('limit=0')).toEqual([400, 'invalid_query', 'limit', 'min']);
    expect(await faultOf('limit=101')).toEqual([400, 'invalid_query', 'limit', 'max']);
  });
});

it('GET /manage/{kind} lists products and categories newest first, the others by their folded names', async () => {
  expect(await walk(kitchen, 'menu-products', '')).toEqual(['prod_4', 'prod_3', 'prod_2', 'prod_1']);
  expect(await walk(kitchen, 'menu-categories', '')).toEqual(['cat_2', 'cat_1']);
  expect(await walk(kitchen, 'forms', '')).toEqual(['form_2', 'form_1']);
  expect(await walk(kitchen, 'agents', '')).toEqual(['agent_2', 'agent_1']);
  expect(await walk(kitchen, 'channels', '')).toEqual(['ch_1', 'ch_2']);
  expect(await walk(kitchen, 'customers', '')).toEqual(['cus_2', 'cus_1']);
});

it('GET /manage/{kind} shows a renamed customer at the new position', async () => {
  const { json } = await kitchen.manage('POST customers', { name: 'zz' });
  expect((await walk(kitchen, 'customers', '')).at(-1)).toBe(json.id);
  await kitchen.manage(`PATCH customers/${json.id}`, { name: 'Äa' });
  expect((await walk(kitchen, 'customers', ''))[0]).toBe(json.id);
});

it('GET /manage/{kind} filters products', async () => {
  expect(await walk(kitchen, 'menu-products', 'categoryId=cat_2')).toEqual(['prod_4']);
  expect(await walk(kitchen, 'menu-products', 'published=false')).toEqual(['prod_4']);
  expect(await walk(kitchen, 'menu-products', 'soldout=false&limit=2')).toEqual(['prod_3', 'prod_2', 'prod_1']);
  expect((await kitchen.manage('GET menu-products?soldout=1')).json.errors).toMatchObject([{ path: 'soldout' }]);
  expect((await kitchen.manage('GET forms?soldout=1')).status).toBe(200);
});

it('GET /manage/{kind} lets kitchen staff list products', async () => {
  const key = kitchen.secretOf('menu:product:availability');
  expect((await call('GET /api/v1/manage/menu-products', { key })).status).toBe(200);
  expect((await call('GET /api/v1/manage/menu-categories', { key })).status).toBe(403);
});

it('GET /manage/customers finds an address by its domain as people see it, and as it is stored', async () => {
  await kitchen.manage('PUT customers/cus_idn', { name: 'Ali', email: 'ali@b\u00fccher.example' });
  await kitchen.manage('PUT channels/ch_idn', { type: 'website', identifier: 'b\u00fccher.example' });
  for (const q of ['B\u00dcCHER', 'buch', 'xn--bcher-kva', 'ali@b\u00fccher.example']) {
    expect(await walk(kitchen, 'customers', `q=${encodeURIComponent(q)}`)).toEqual(['cus_idn']);
  }
  expect(await walk(kitchen, 'channels', `q=${encodeURIComponent('b\u00fccher.example')}`)).toEqual(['ch_idn']);
  expect(await walk(kitchen, 'customers', `q=${encodeURIComponent('b\u00fcche\u00e9')}`)).toEqual([]);
});
