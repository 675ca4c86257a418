import { expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const kitchen = await openWorkspace('records');
const other = await openWorkspace('records');
const { manage } = kitchen;

interface Deleted {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}
const listed = async (query = ''): Promise<Deleted[]> => (await manage(`GET deleted${query}`)).json.data;
const reader = async (...permissions: string[]) => {
  const { json } = await manage('POST api-keys', { name: 'Reader', permissions });
  return (query = '') => call(`GET /api/v1/manage/deleted${query}`, { key: json.secret });
};

await manage('PUT cms-models/notes', {
  name: { en: 'Notes' },
  fields: [
    { key: 'count', name: { en: 'Count' }, type: 'number' },
    { key: 'secret', name: { en: 'Secret' }, type: 'text', hidden: true },
    { key: 'title', name: { en: 'Title' }, type: 'text', localized: true },
  ],
});

it('deleted records are listed newest first, with their names in the default language', async () => {
  await manage('PUT cms-entries/notes/named', { values: { count: 3, secret: 'S', title: { ar: 'ع', en: 'Seen' } } });
  await manage('PUT cms-entries/notes/unnamed', { values: { count: 4 } });
  await manage('PUT menu-products/dish', { slug: 'dish', name: { ar: 'طبق', en: 'Dish' }, categoryId: 'cat_1' });
  await manage('PUT forms/ask', { slug: 'ask', title: { en: 'Ask us' } });
  await manage('PUT agents/helper', { name: 'Helper' });
  await manage('PUT channels/site', { type: 'website', identifier: 'site.example.org' });
  const paths = [
    'cms-entries/notes/named',
    'cms-entries/notes/unnamed',
    'menu-products/dish',
    'forms/ask',
    'agents/helper',
  ];
  for (const path of [...paths, 'channels/site', 'menu-categories/cat_2'])
    expect([path, (await manage(`DELETE ${path}`)).status]).toEqual([path, 204]);
  const rows = await listed();
  expect(rows.map(({ kind, id, name }) => [kind, id, name])).toEqual([
    ['menu-categories', 'cat_2', expect.any(String)],
    ['channels', 'site', 'site.example.org'],
    ['agents', 'helper', 'Helper'],
    ['forms', 'ask', 'Ask us'],
    ['menu-products', 'dish', 'Dish'],
    ['cms-entries', 'notes/unnamed', 'unnamed'],
    ['cms-entries', 'notes/named', 'S'],
  ]);
  const { json } = await manage('GET audit-events?action=delete&limit=1');
  const [{ at, actor }] = json.data;
  expect(rows[0]).toMatchObject({ at, actor });
});

it('a caller sees the kinds that it may read, and no text that is hidden from it', async () => {
  const kinds = async (read: Awaited<ReturnType<typeof reader>>, query = '') =>
    (await read(query)).json.data.map(({ kind }: Deleted) => kind);
  expect(await kinds(await reader('menu:product:availability'))).toEqual(['menu-products']);
  expect(await kinds(await reader('messaging:agent:read', 'messaging:channel:read'))).toEqual(['channels', 'agents']);
  const entries = await (await reader('cms:entry:read'))('?kind=cms-entries');
  expect(entries.json.data.map(({ name }: Deleted) => name)).toEqual(['unnamed', 'Seen']);
  expect((await (await reader('workspace:settings:read'))()).status).toBe(403);
  expect((await (await reader('cms:entry:read'))('?kind=forms')).status).toBe(403);
  for (const kind of ['customers', 'workspace', 'nothing'])
    expect(issuesOf(await manage(`GET deleted?kind=${kind}`))).toEqual([expect.stringMatching(/^kind /)]);
  expect((await other.manage('GET deleted')).json).toEqual({ data: [], next: null });
});

it('a record that exists again is not listed, whatever made it, and a second deletion counts alone', async () => {
  await manage('PUT agents/helper', { name: 'Helper again' });
  expect((await listed('?kind=agents')).map(({ id }) => id)).toEqual([]);
  await manage('DELETE agents/helper');
  expect((await listed('?kind=agents')).map(({ name }) => name)).toEqual(['Helper again']);
  const imported = await openWorkspace('records');
  await imported.manage('DELETE menu-categories/cat_2');
  const ids = async () => (await imported.manage('GET deleted')).json.data.map(({ id }: Deleted) => id);
  expect(await ids()).toEqual(['cat_2']);
  await load(imported.document);
  expect(await ids()).toEqual([]);
});

it('pages have each deleted record once', async () => {
  const all = await listed();
  const seen: Deleted[] = [];
  let next: string | null = '';
  while (next !== null) {
    const { json } = await manage(`GET deleted?limit=2${next && `&cursor=${next}`}`);
    seen.push(...json.data);
    next = json.next;
  }
  expect(seen).toEqual(all);
});

it('a long name is cut after a whole character', async () => {
  await manage('PUT cms-entries/notes/long', { values: { count: 1, secret: `a${'ع'.repeat(500)}` } });
  await manage('DELETE cms-entries/notes/long');
  const [first] = await listed('?kind=cms-entries&limit=1');
  expect(first).toMatchObject({ id: 'notes/long', name: `a${'ع'.repeat(199)}` });
});

it('many other changes between two deletions hide none of them', async () => {
  const { manage: own } = await openWorkspace('records');
  const remove = async (id: string) => {
    await own(`PUT agents/${id}`, { name: id });
    expect((await own(`DELETE agents/${id}`)).status).toBe(204);
  };
  await remove('first');
  // More than one step of the list, and none of its multiples.
  for (let number = 0; number < 90; number++) await own('PUT agents/busy', { name: `Busy ${number}` });
  await remove('second');
  const ids: string[] = [];
  let path: string | null = 'deleted?limit=1';
  while (path) {
    const { json }: { json: { data: Deleted[]; next: string | null } } = await own(`GET ${path}`);
    ids.push(...json.data.map(({ id }) => id));
    path = json.next && `deleted?limit=1&cursor=${encodeURIComponent(json.next)}`;
  }
  expect(ids).toEqual(['second', 'first']);
});
