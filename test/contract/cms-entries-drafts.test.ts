import { beforeAll, describe, expect, it } from '@jest/globals';
import { entryListScope } from '#lib/table/cms/entry-list.ts';
import { compactCollection } from '#lib/table/collection/compact-collections.ts';
import { headKey } from '#lib/table/collection/head.ts';
import { call } from '#test/support/call.ts';
import { listCosts } from '#test/support/list-costs.ts';
import { ageState } from '#test/support/old-log.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const count = 19;
const idOf = (number: number) => `page_${String(number).padStart(2, '0')}`;
let kitchen: Workspace;
/** A key that reads drafts, one that does not, and one that writes without reading them. */
let seeing = '';
let blind = '';
let blindWriter = '';

beforeAll(async () => {
  kitchen = await openWorkspace('kitchen', ({ cms, apiKeys, workspace }) => {
    cms.models.push({
      id: 'pages',
      name: { en: 'Pages' },
      fields: [
        { key: 'title', name: { en: 'Title' }, type: 'text' },
        { key: 'next', name: { en: 'Next' }, type: 'relation', relation: { to: 'cms:pages', many: false } },
        { key: 'all', name: { en: 'All' }, type: 'relation', relation: { to: 'cms:pages', many: true } },
        { key: 'dish', name: { en: 'Dish' }, type: 'relation', relation: { to: 'menu:product', many: false } },
      ],
    });
    cms.entries.push(...Array.from({ length: count }, (_, number) => page(number)));
    blindWriter = `blind-writer-${workspace.id}`;
    const permissions = ['cms:entry:read', 'cms:entry:update'];
    apiKeys.push({ id: 'key_blind_writer', name: 'Blind writer', secret: blindWriter, permissions });
  });
  seeing = kitchen.keys.editor;
  blind = kitchen.keys.reader;
});

/** Every third page is a draft. */
const page = (number: number) => ({
  id: idOf(number),
  modelId: 'pages',
  published: number % 3 !== 0,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  values: { title: `Page ${number}`, next: idOf((number + 1) % count), all: [0, 1, 2].map(idOf) },
});

const get = (address: string, key: string) => call(`GET /api/public/cms/pages/${address}`, { key });
const update = (id: string, values: object, key = seeing, rest: object = {}) =>
  call(`PATCH /api/public/cms/pages/${id}?fields=published,title`, { key, body: { values }, ...rest });

interface Listed {
  readonly id: string;
  readonly published: boolean;
}

async function listed(query: string, key: string): Promise<{ total: number; entries: Listed[] }> {
  const entries: Listed[] = [];
  for (let offset = 0, total = 1; ; offset += 7) {
    const answer = await get(`list?fields=published&limit=7&offset=${offset}${query}`, key);
    expect(answer.status).toBe(200);
    total = Number(answer.headers['x-cms-total']);
    expect(answer.headers['x-cms-has-more']).toBe(offset + 7 < total ? '1' : '0');
    expect(answer.json).toHaveLength(Math.max(0, Math.min(7, total - offset)));
    entries.push(...answer.json);
    if (offset + 7 >= total) return { total, entries };
  }
}

/** Compares every list with that of a caller who may see everything. */
async function expectAgreement(): Promise<void> {
  const { entries: all } = await listed('', seeing);
  const published = all.filter((entry) => entry.published);
  const drafts = all.filter((entry) => !entry.published);
  expect(await listed('', blind)).toEqual({ total: published.length, entries: published });
  expect(await listed('&published=true', blind)).toEqual({ total: published.length, entries: published });
  expect(await listed('&published=true', seeing)).toEqual({ total: published.length, entries: published });
  expect(await listed('&published=false', seeing)).toEqual({ total: drafts.length, entries: drafts });
}

describe('an unpublished entry', () => {
  it('is absent from lists, pages and totals of a caller without the permission, and present for others', async () => {
    await expectAgreement();
    expect((await listed('', seeing)).total).toBe(count);
    expect((await listed('', blind)).total).toBe(12);
  });

  it('is answered 404 to a caller without the permission, like an unknown id', async () => {
    const [draft, absent] = await Promise.all([get(idOf(0), blind), get('nobody', blind)]);
    expect([draft.status, draft.text]).toEqual([404, absent.text]);
    expect((await get(idOf(0), seeing)).status).toBe(200);
    expect((await get(idOf(1), blind)).status).toBe(200);
  });

  it('is null as the only target, absent among several, and an id beyond the depth', async () => {
    const fields = 'fields=next(id,all(id)),all(id)';
    const shown = await get(`${idOf(2)}?${fields}&maxDepth=2`, blind);
    expect(shown.json).toEqual({ id: idOf(2), next: null, all: [{ id: idOf(1) }, { id: idOf(2) }] });
    const deep = await get(`${idOf(1)}?${fields}&maxDepth=2`, blind);
    expect(deep.json.next).toEqual({ id: idOf(2), all: [{ id: idOf(1) }, { id: idOf(2) }] });
    const flat = await get(`${idOf(2)}?${fields}&maxDepth=0`, blind);
    expect(flat.json).toEqual({ id: idOf(2), next: { id: idOf(3) }, all: [0, 1, 2].map((n) => ({ id: idOf(n) })) });
    expect((await get(`${idOf(2)}?fields=next(id)`, seeing)).json.next).toEqual({ id: idOf(3) });
  });

  it('is answered 404 to an update without the permission, before If-Match, and stays unchanged', async () => {
    const before = await get(idOf(3), seeing);
    for (const headers of [{}, { 'if-match': '"other"' }, { 'if-match': String(before.headers['etag']) }]) {
      const { status } = await update(idOf(3), { title: 'Changed' }, blindWriter, { headers });
      expect(status).toBe(404);
    }
    expect((await update(idOf(3), {}, blindWriter)).status).toBe(404);
    expect((await get(idOf(3), seeing)).text).toBe(before.text);
  });

  it('is an absent target of a relation for such a caller', async () => {
    const draft = await update(idOf(4), { next: idOf(0), all: [idOf(0), idOf(1)] }, blindWriter);
    expect(draft.json.errors.map(({ path, code }: never) => [path, code])).toEqual([
      ['values.next', 'not_found'],
      ['values.all', 'not_found'],
    ]);
    expect((await update(idOf(4), { next: idOf(2) }, blindWriter)).status).toBe(200);
    expect((await update(idOf(4), { next: idOf(0) })).status).toBe(200);
  });
});

describe('the parameter published', () => {
  it('false is refused (403) without the permission, also for an unknown database', async () => {
    for (const path of ['pages', 'nothing']) {
      const answer = await call(`GET /api/public/cms/${path}/list?published=false`, { key: blind });
      expect([answer.status, answer.json.code]).toEqual([403, 'permission_denied']);
      expect(answer.json.message).toContain('cms:entry:read-unpublished');
    }
  });

  it.each(['yes', 'TRUE', '0', 'true&published=true'])('%s is refused (400)', async (value) => {
    const { status, json } = await get(`list?published=${value}`, blind);
    expect([status, json.code, json.errors[0].path]).toEqual([400, 'invalid_query', 'published']);
  });

  it('counts as absent when it is empty', async () => {
    expect((await get('list?published=', seeing)).headers['x-cms-total']).toBe(String(count));
  });
});

describe('publishing and unpublishing', () => {
  it('appears in the next list, in its pages and totals', async () => {
    for (const [number, published] of [
      [1, false],
      [3, true],
      [2, false],
      [1, true],
      [6, true],
      [6, true],
    ] as const) {
      const { status, json } = await update(idOf(number), { published });
      expect([status, json.published]).toEqual([200, published]);
      await expectAgreement();
    }
  });

  it('answers the entry even if the caller can no longer see it, also for a repeated idempotency key', async () => {
    const headers = { 'idempotency-key': 'unpublish-once' };
    for (let tries = 0; tries < 2; tries++) {
      const { status, json } = await update(idOf(7), { published: false }, blindWriter, { headers });
      expect([status, json.published]).toEqual([200, false]);
    }
    expect((await update(idOf(7), { published: true }, blindWriter)).status).toBe(404);
    await expectAgreement();
  });

  it('survives updates of other fields and the compaction of the log', async () => {
    await update(idOf(8), { published: false });
    await update(idOf(8), { title: 'Changed after that' });
    await update(idOf(9), { title: 'Changed before that' });
    await update(idOf(9), { published: true });
    await expectAgreement();
    const scope = entryListScope(kitchen, 'pages');
    const old = { UpdateExpression: 'SET since = :then', ExpressionAttributeValues: { ':then': 0 } };
    await testTable().update(headKey(scope), old);
    expect(await compactCollection(testTable(), scope)).toBe(true);
    await expectAgreement();
  });

  it('publishing by an import appears in lists, and so do later updates', async () => {
    const entries = [10, 11, 12, 13, 14, 15].map((number) => ({ ...page(number), published: number % 2 === 1 }));
    await load({ version: 1, workspace: kitchen.document.workspace, cms: { entries } });
    await expectAgreement();
    const shown = new Map((await listed('', seeing)).entries.map((entry) => [entry.id, entry.published]));
    expect([10, 11, 12, 13, 14, 15].map((number) => shown.get(idOf(number)))).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
    await update(idOf(14), { published: true });
    await update(idOf(15), { published: false });
    await expectAgreement();
  });
});

describe('a page of published entries', () => {
  it('costs one round trip, however many drafts lie between its entries', async () => {
    const many = await openWorkspace('kitchen', ({ cms }) => {
      cms.models.push({
        id: 'rare',
        name: { en: 'Rare' },
        fields: [{ key: 'title', name: { en: 'Title' }, type: 'text' }],
      });
      cms.entries.push(
        ...Array.from({ length: 1_200 }, (_, number) => ({
          ...page(number),
          modelId: 'rare',
          published: number % 120 === 7,
          values: {},
        })),
      );
    });
    await ageState(many.workspaceId);
    for (const [key, query] of [
      [many.keys.reader, 'limit=10'],
      [many.keys.reader, 'limit=3&offset=5'],
      [many.keys.editor, 'limit=10&published=false&offset=700'],
      [many.keys.editor, 'limit=10&offset=700'],
    ] as const) {
      await listCosts(`rare/list?maxDepth=0&${query}`, key);
      const { calls, readUnits } = await listCosts(`rare/list?maxDepth=0&${query}`, key);
      // The log; the page, by a range or by its keys; and the key, which the log proves from the third list on.
      const { Query = 0, BatchGetItem = 0, ...others } = calls;
      expect([query, Query, BatchGetItem, others]).toEqual([query, expect.any(Number), expect.any(Number), {}]);
      expect([query, Query <= 2, BatchGetItem <= 1]).toEqual([query, true, true]);
      expect(readUnits).toBeLessThanOrEqual(16);
    }
    const { headers, json } = await call('GET /api/public/cms/rare/list?fields=id', { key: many.keys.reader });
    expect([headers['x-cms-total'], json.length]).toEqual(['10', 10]);
  });
});

describe('a list whose stored rows do not say whether entries are published', () => {
  it('is correct', async () => {
    const { gunzipSync, gzipSync } = await import('node:zlib');
    const old = await openWorkspace('kitchen', ({ cms }) => {
      cms.entries.push({ id: 'chef_6', modelId: 'chefs', published: false, values: { name: { en: 'Six' } } });
    });
    const scope = entryListScope(old, 'chefs');
    const table = testTable();
    const head = await table.get(headKey(scope));
    const rewrite = async (partId: string, change: (content: never) => unknown) => {
      const key = { pk: headKey(scope).pk, sk: `PART#${partId}` };
      const part = await table.uncached().get(key);
      const content = JSON.parse(gunzipSync(part?.['content'] as Uint8Array).toString());
      await table.put({ ...part, ...key, content: gzipSync(JSON.stringify(change(content as never))) });
      return content;
    };
    const { chunks } = await rewrite(
      String(head?.['directory']),
      ({ published, ...rest }: { published: number[] }) => rest,
    );
    for (const [partId] of chunks) await rewrite(partId, (rows: string[]) => rows.map((row) => row.replace(/#$/, '')));
    const ids = async (query: string, key: string) =>
      (await call(`GET /api/public/cms/chefs/list?fields=id${query}`, { key })).json.map(({ id }: Listed) => id);
    expect(await ids('', old.keys.reader)).toEqual(['chef_5', 'chef_3', 'chef_2', 'chef_1']);
    expect(await ids('&published=false', old.keys.editor)).toEqual(['chef_6', 'chef_4']);
    await call('PATCH /api/public/cms/chefs/chef_4', { key: old.keys.editor, body: { values: { published: true } } });
    expect(await ids('', old.keys.reader)).toEqual(['chef_5', 'chef_4', 'chef_3', 'chef_2', 'chef_1']);
  });
});
