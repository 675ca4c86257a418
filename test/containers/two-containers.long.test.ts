import { afterAll, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { revokeKey } from '#test/support/change-key.ts';
import { Containers } from '#test/support/containers.ts';
import { documentOf } from '#test/support/menu.ts';
import { website } from '#test/support/presets/chat.ts';
import { changedViews, expectSameViews, withKey } from '#test/support/views.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const kitchen = await openWorkspace('kitchen');
const { document, keys } = kitchen;
const containers = await Containers.start(2);
afterAll(() => containers[Symbol.asyncDispose]());

const update = (container: number, path: string, values: object) =>
  containers.at(container).call(`PATCH /api/public/cms/${path}`, { key: keys.editor, body: { values } });
const same = (key = keys.editor) => expectSameViews(containers.all, key);

it('a second container shows an import immediately, like a cold one', async () => {
  const before = await same();
  const [first, ...others] = document.menu.products;
  const [chef] = document.cms.entries;
  const menu = { ...document.menu, products: [{ ...first, name: { en: 'Renamed' } }, ...others] };
  const hired = { ...chef, values: { ...chef.values, joined: '2026-01-09' } };
  await load(documentOf(kitchen, { cms: { models: [], entries: [hired] }, menu }));
  containers.open();
  const after = await same();
  const changed = changedViews(before, after);
  expect(changed).toContain('GET /api/public/cms/chefs/list?maxDepth=0');
  expect(changed).toContain('GET /api/public/cms/chefs/chef_5?maxDepth=6&includeProducts=true');
  expect(changed).toContain('GET /api/public/menu/products');
  expect(after['GET /api/public/menu/products']?.text).toContain('Renamed');
});

it('a second container hides unpublished and shows published records immediately, in every language', async () => {
  const paths = [
    'chefs/list?fields=id,name',
    'chefs/list?fields=id,name&locale=ar&fallback=*',
    'chefs/chef_2?locale=en',
  ];
  const shown = (number: number) =>
    Promise.all(
      paths.map(async (path) => {
        const request = `GET /api/public/cms/${path}`;
        const { status, text, headers } = await containers.at(number).call(request, { key: keys.reader });
        return { status, total: headers['x-cms-total'], hasChef: text.includes('"chef_2"'), etag: headers['etag'] };
      }),
    );
  const before = [await shown(0), await shown(1)];
  for (const published of [false, true]) {
    expect((await update(0, 'chefs/chef_2', { published })).status).toBe(200);
    const after = [await shown(1), await shown(0)];
    expect(after[0]).toEqual(after[1]);
    expect(after[0]?.map(({ status, hasChef }) => [status, hasChef])).toEqual(
      published
        ? [200, 200, 200].map((status) => [status, true])
        : [
            [200, false],
            [200, false],
            [404, false],
          ],
    );
    expect(Number(after[0]?.[0]?.total)).toBe(Number(before[0]?.[0]?.total) - (published ? 0 : 1));
    expect(after[0]?.[0]?.etag === before[0]?.[0]?.etag).toBe(published);
  }
  await update(1, 'chefs/chef_2', { name: { ar: 'جديد' } });
  expect(
    (await containers.at(0).call('GET /api/public/cms/chefs/chef_2?locale=ar', { key: keys.reader })).json.name,
  ).toBe('جديد');
});

it('a second container shows a management write of each kind of content immediately', async () => {
  const { secretOf } = await openWorkspace('records');
  const key = secretOf('all');
  const write = async (request: string, body: object) => {
    const [method, path] = request.split(' ');
    const { status } = await containers.at(0).call(`${method} /api/v1/manage/${path}`, { key, body });
    expect([request, status < 300]).toEqual([request, true]);
  };
  const note = { id: 'notes', name: { en: 'Notes' }, fields: [{ key: 'title', name: { en: 'Title' }, type: 'text' }] };
  await write('PUT cms-models/notes', note);
  const shown = async (path: string) => {
    const { text, headers } = await containers.at(1).call(withKey(`GET /api/${path}`, key), { key });
    return { text, etag: headers['etag'] };
  };
  const changes = [
    ['public/menu/products', 'PUT menu-products/fresh', { slug: 'fresh', name: { en: 'Fresh' }, categoryId: 'cat_2' }],
    ['public/menu/categories', 'PATCH menu-categories/cat_2', { name: { en: 'Fresh' } }],
    ['public/cms/notes/list', 'PUT cms-entries/notes/note_1', { values: { title: 'Fresh' } }],
    [
      'public/cms/notes/list',
      'PATCH cms-models/notes',
      { fields: [{ key: 'Fresh', name: { en: 'Fresh' }, type: 'text' }] },
    ],
    [`public/forms/contact?apiKey=${key}`, 'PATCH forms/form_1', { title: { en: 'Fresh' } }],
    ['v1/manage/customers', 'PUT customers/fresh', { name: 'Fresh' }],
    ['v1/manage/agents', 'PUT agents/fresh', { name: 'Fresh' }],
    ['v1/manage/workspace', 'PATCH workspace', { name: 'Fresh' }],
  ] as const;
  for (const [path, request, body] of changes) {
    const before = await shown(path);
    await write(request, body);
    const after = await shown(path);
    expect([request, after.text]).not.toEqual([request, before.text]);
    expect([request, after.text]).toEqual([request, expect.stringContaining('Fresh')]);
    if (before.etag !== undefined) expect([request, after.etag]).not.toEqual([request, before.etag]);
  }
});

it('if two containers remove two managers concurrently, one manager stays', async () => {
  const { secretOf } = await openWorkspace('records', ({ members }) => {
    const managers = ['mem_a', 'mem_b'].map((id) => ({ id, name: id, permissions: Permission.options }));
    members.push(...managers.map((manager) => ({ ...manager, email: `${manager.id}@example.com` })));
  });
  const remove = (container: number, id: string) =>
    containers.at(container).call(`DELETE /api/v1/manage/members/${id}`, { key: secretOf('all') });
  const answers = await Promise.all([remove(0, 'mem_a'), remove(1, 'mem_b')]);
  const results = answers.map(({ status, json }) => (status === 409 ? json.code : status)).sort();
  expect(results).toEqual([204, 'last_manager']);
});

it('two containers that make webhooks concurrently make 20, and both show each of them', async () => {
  const { secretOf } = await openWorkspace('records');
  const body = { url: 'https://hooks.example.com', types: ['form.*'], apiKeyId: 'key_none' };
  const hooks = (container: number, method: string, more: object = {}) =>
    containers.at(container).call(`${method} /api/v1/manage/webhooks`, { key: secretOf('all'), ...more });
  const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => hooks(index % 2, 'POST', { body })));
  const made = answers.flatMap(({ status, json }) => (status === 201 ? [json.id] : [])).sort();
  expect(made).toHaveLength(20);
  for (const container of [0, 1]) {
    const { json } = await hooks(container, 'GET');
    expect(json.data.map(({ id }: { id: string }) => id).sort()).toEqual(made);
  }
});

it('a visitor’s token is valid in all containers until its key is revoked', async () => {
  const room = await openWorkspace('visitors');
  const body = { channelIdentifier: website };
  const { json: visitor } = await containers
    .at(0)
    .call('POST /api/v1/connect/visitor-sessions', { key: room.key, body });
  const { token: key, conversationId } = visitor;
  const address = `/api/v1/connect/conversations/${conversationId}/messages`;
  const hello = { senderType: 'customer', text: 'Hello.' };
  const sent = await containers.at(1).call(`POST ${address}`, { key, body: hello });
  expect(sent.status).toBe(201);
  const pages = async () => Promise.all(containers.all.map((container) => container.call(`GET ${address}`, { key })));
  for (const { json } of await pages()) expect(json.data).toEqual([sent.json]);
  await revokeKey(room.workspaceId, 'key_desk');
  for (const { status } of await pages()) expect(status).toBe(401);
});
