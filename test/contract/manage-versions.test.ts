import { expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { testedKinds } from '#test/support/manage-kinds.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const kitchen = await openWorkspace('records');
const other = await openWorkspace('records');
const { manage } = kitchen;

interface Row {
  readonly id: string;
  readonly action: string;
  readonly changed: readonly string[];
  readonly isCurrent: boolean;
}
const rowsOf = async (path: string): Promise<Row[]> => (await manage(`GET ${path}/versions`)).json.data;
const textOf = async (path: string): Promise<string> => (await manage(`GET ${path}`)).text;
const versionText = async (path: string, id: string) => (await manage(`GET ${path}/versions/${id}`)).text;

const note = { kind: 'cms-entries', fresh: () => ({ modelId: 'notes', values: { title: { en: 'One' } } }) };
const withHistory = [
  ...testedKinds.filter(({ kind }) => !['customers', 'members'].includes(kind)),
  {
    kind: 'cms-models',
    fresh: (name: string) => ({ name: { en: name }, fields: [] }),
    patch: { name: { ar: 'جديد' } },
    changed: ['name.ar'],
  },
];

await manage('PUT cms-models/notes', {
  name: { en: 'Notes' },
  fields: [
    { key: 'title', name: { en: 'Title' }, type: 'text', localized: true },
    { key: 'secret', name: { en: 'Secret' }, type: 'text', hidden: true },
    { key: 'gone', name: { en: 'Gone' }, type: 'text' },
  ],
});

it.each([...withHistory, { ...note, patch: { values: { title: { ar: 'اثنان' } } }, changed: ['values.title.ar'] }])(
  'each change of $kind is a version, byte for byte what management answered then',
  async ({ kind, fresh, patch, changed }) => {
    const path = `${kind}/${kind === 'cms-entries' ? 'notes/' : ''}versioned`;
    const texts: string[] = [];
    expect((await manage(`PUT ${path}`, fresh('versioned'))).status).toBe(201);
    texts.push(await textOf(path));
    expect((await manage(`PATCH ${path}`, patch)).status).toBe(200);
    texts.push(await textOf(path));
    expect((await manage(`PATCH ${path}`, {})).status).toBe(200);
    const rows = await rowsOf(path);
    expect(rows.map(({ action, changed: paths, isCurrent }) => [action, paths, isCurrent])).toEqual([
      ['update', changed, true],
      ['create', [], false],
    ]);
    expect(await Promise.all(rows.map(({ id }) => versionText(path, id)))).toEqual(texts.toReversed());
    const { json: events } = await manage(
      `GET audit-events?recordKind=${kind}&recordId=${path.slice(kind.length + 1)}`,
    );
    expect(rows.map(({ id }) => id)).toEqual(events.data.map(({ id }: Row) => id));
    expect((await manage(`DELETE ${path}`)).status).toBe(204);
    const [deletion, ...before] = await rowsOf(path);
    expect(deletion).toMatchObject({ action: 'delete', changed: [], isCurrent: false });
    expect(before.map(({ id, isCurrent }) => [id, isCurrent])).toEqual(rows.map(({ id }) => [id, false]));
    expect((await manage(`GET ${path}/versions/${deletion?.id}`)).status).toBe(404);
  },
);

it('a change of the workspace is a version', async () => {
  const before = await textOf('workspace');
  expect((await manage('GET workspace/versions')).json).toEqual({ data: [], next: null });
  await manage('PATCH workspace', { name: 'Another name' });
  const rows = await rowsOf('workspace');
  expect(rows.map(({ action, isCurrent }) => [action, isCurrent])).toEqual([
    ['update', true],
    ['import', false],
  ]);
  expect(await versionText('workspace', rows[0]?.id ?? '')).toBe(await textOf('workspace'));
  expect(await versionText('workspace', rows[1]?.id ?? '')).toBe(before);
});

it('the PATCH of the contract and bulk changes make versions', async () => {
  await manage('PUT cms-entries/notes/patched', { values: { title: { en: 'A' } } });
  await call('PATCH /api/public/cms/notes/patched', {
    key: kitchen.secretOf('all'),
    body: { values: { title: { en: 'B' } } },
  });
  const shown = await textOf('cms-entries/notes/patched');
  const [patched] = await rowsOf('cms-entries/notes/patched');
  expect(patched).toMatchObject({ action: 'update', changed: ['values.title.en'], isCurrent: true });
  expect(await versionText('cms-entries/notes/patched', patched?.id ?? '')).toBe(shown);
  await manage('POST changes', {
    changes: [{ method: 'PATCH', kind: 'agents', id: 'agent_1', record: { name: 'Bulk' } }],
  });
  expect((await rowsOf('agents/agent_1')).map(({ action }) => action)).toEqual(['update', 'import']);
});

it('an import makes no versions, and the next change keeps what it has left', async () => {
  const { workspaceId, document } = await openWorkspace('records');
  const imported = await openWorkspace('records');
  expect(workspaceId).not.toBe(imported.workspaceId);
  const read = (path: string) => imported.manage(`GET ${path}`);
  const path = 'menu-products/prod_1';
  await imported.manage(`PATCH ${path}`, { preparationTime: 1 });
  const [product, ...others] = imported.document.menu.products;
  await load({
    ...imported.document,
    menu: { ...document.menu, products: [{ ...product, preparationTime: 2 }, ...others] },
  });
  const left = (await read(path)).text;
  const before = (await read(`${path}/versions`)).json.data as Row[];
  expect(before.map(({ action, isCurrent }) => [action, isCurrent])).toEqual([
    ['update', false],
    ['import', false],
  ]);
  await imported.manage(`PATCH ${path}`, { preparationTime: 3 });
  const rows = (await read(`${path}/versions`)).json.data as Row[];
  expect(rows.map(({ action }) => action)).toEqual(['update', 'import', 'update', 'import']);
  expect((await read(`${path}/versions/${rows[1]?.id}`)).text).toBe(left);
});

it('pages of versions have each version once, in their order', async () => {
  const path = 'forms/form_1';
  for (let number = 1; number <= 4; number++) await manage(`PATCH ${path}`, { title: { en: `Title ${number}` } });
  const all = await rowsOf(path);
  expect(all).toHaveLength(5);
  for (const limit of [1, 2, 3]) {
    const seen: Row[] = [];
    let next: string | null = '';
    while (next !== null) {
      const { json } = await manage(`GET ${path}/versions?limit=${limit}${next && `&cursor=${next}`}`);
      seen.push(...json.data);
      next = json.next;
    }
    expect(seen).toEqual(all);
  }
  const { json } = await manage(`GET ${path}/versions?limit=1`);
  expect((await manage(`GET forms/form_2/versions?cursor=${json.next}`)).status).toBe(400);
});

it('a version shows fields and languages that are gone, and hidden fields to those who may see them', async () => {
  const path = 'cms-entries/notes/layers';
  await manage(`PUT ${path}`, { values: { title: { en: 'T', ar: 'ت' }, secret: 'S', gone: 'G' } });
  await manage(`PATCH ${path}`, { values: { secret: 'S2', gone: 'G2' } });
  const whole = await textOf(path);
  const reader = await openReader(['cms:entry:read', 'cms:model:read', 'cms:entry:read-unpublished']);
  const [row] = (await reader(`${path}/versions`)).json.data;
  expect(row.changed).toEqual(['values.gone']);
  expect((await reader(`${path}/versions/${row.id}`)).text).toBe((await reader(path)).text);
  await manage('PUT cms-models/notes', {
    name: { en: 'Notes' },
    fields: [{ key: 'title', name: { en: 'Title' }, type: 'text', localized: true }],
  });
  expect(await versionText(path, row.id)).toBe(whole);
  expect((await reader(`${path}/versions/${row.id}`)).json.values).toEqual({ title: { en: 'T', ar: 'ت' }, gone: 'G2' });
});

it('versions of drafts are shown to those who may see drafts', async () => {
  const path = 'cms-entries/notes/draft';
  await manage(`PUT ${path}`, { values: { title: { en: 'A' } } });
  await manage(`PATCH ${path}`, { published: false });
  const reader = await openReader(['cms:entry:read', 'cms:model:read']);
  const [draft, published] = await rowsOf(path);
  for (const address of ['', '/versions', `/versions/${published?.id}`])
    expect([address, (await reader(path + address)).status]).toEqual([address, 404]);
  await manage(`PATCH ${path}`, { published: true });
  const ids = (await reader(`${path}/versions`)).json.data.map(({ id }: Row) => id);
  expect(ids).toEqual([(await rowsOf(path))[0]?.id, published?.id]);
  expect((await reader(`${path}/versions/${draft?.id}`)).status).toBe(404);
  await manage(`PATCH ${path}`, { published: false });
  await manage(`DELETE ${path}`);
  expect((await reader(`${path}/versions`)).status).toBe(404);
  const deleted = (await reader('deleted?kind=cms-entries')).json.data as { id: string }[];
  expect(deleted.map(({ id }) => id)).toEqual(['notes/versioned']);
});

it('what has no history is 404, and nothing of another workspace is shown', async () => {
  const [row] = await rowsOf('forms/form_1');
  for (const path of [
    'customers/cus_1',
    'forms/nobody',
    'cms-entries/nowhere/x',
    'webhooks/x',
    'api-keys/x',
    'forms/a%20b',
  ])
    expect([path, (await manage(`GET ${path}/versions`)).status]).toEqual([path, 404]);
  for (const id of ['evt_1', 'evt_000000000000000000000', `${row?.id}0`, 'x'])
    expect([id, (await manage(`GET forms/form_1/versions/${id}`)).status]).toEqual([id, 404]);
  expect((await manage(`GET forms/form_2/versions/${row?.id}`)).status).toBe(404);
  expect((await other.manage('GET forms/form_1/versions')).json).toEqual({ data: [], next: null });
  expect((await other.manage(`GET forms/form_1/versions/${row?.id}`)).status).toBe(404);
});

it('versions need the permissions of GET', async () => {
  const key = kitchen.secretOf('menu:product:availability');
  const [row] = await rowsOf('forms/form_1');
  const get = (path: string) => call(`GET /api/v1/manage/${path}`, { key });
  expect((await get('menu-products/prod_1/versions')).status).toBe(200);
  expect((await get('forms/form_1/versions')).status).toBe(403);
  expect((await get(`forms/form_1/versions/${row?.id}`)).status).toBe(403);
  expect((await get('workspace/versions')).status).toBe(403);
});

async function openReader(permissions: readonly string[]) {
  const { json } = await manage('POST api-keys', { name: 'Reader', permissions });
  return (path: string) => call(`GET /api/v1/manage/${path}`, { key: json.secret });
}
