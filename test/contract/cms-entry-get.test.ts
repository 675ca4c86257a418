import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { chefOne } from '#test/support/presets/kitchen.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const { canary, keys, document } = await openWorkspace('kitchen');
const get = (address: string, key = keys.editor) => call(`GET /api/public/cms/${address}`, { key });
const tagOf = async (address: string, key?: string) => (await get(address, key)).headers['etag'];
const update = (address: string, values: object) =>
  call(`PATCH /api/public/cms/${address}`, { key: keys.editor, body: { values } });

describe('one entry', () => {
  it('is answered with the system fields and the visible fields (200)', async () => {
    const { status, json } = await get('chefs/chef_1?maxDepth=0');
    expect(status).toBe(200);
    expect(json).toEqual(chefOne(canary));
  });

  it('has JSON, a request id, its depth and ETag, and no header of a list', async () => {
    const { headers } = await get('chefs/chef_1');
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(headers).filter((name) => name.startsWith('x-cms'))).toEqual(['x-cms-max-depth']);
    expect(headers['x-cms-max-depth']).toBe('3');
  });

  it.each(['', '?maxDepth=0', '?maxDepth=6', '?fields=name,mentor(friends)', '?includeHidden=true'])(
    'equals the entry of the list%s',
    async (query) => {
      const [single, list] = await Promise.all([
        get(`chefs/chef_4${query}`, keys.chief),
        get(`chefs/list${query}`, keys.chief),
      ]);
      expect(single.json).toEqual(list.json[1]);
    },
  );

  it('is shown when it is unpublished, too', async () => {
    expect((await get('chefs/chef_4')).json.published).toBe(false);
  });

  it('answers HEAD like GET, without a body', async () => {
    const answer = await call('HEAD /api/public/cms/chefs/chef_1', { key: keys.editor });
    const { 'x-request-id': _, ...headers } = (await get('chefs/chef_1')).headers;
    expect(answer).toMatchObject({ status: 200, text: '', headers });
  });

  it('is found by its id immediately after it was removed and made again at another time', async () => {
    const others = document.cms.entries.filter(({ id }: { id: string }) => id !== 'chef_2');
    const again = { ...document.cms.entries[1], createdAt: '2026-01-20T09:00:00.000Z' };
    expect((await get('chefs/chef_2')).json.createdAt).toBe('2026-01-02T09:00:00.000Z');
    await load({ version: 1, workspace: document.workspace, cms: { entries: others } }, { prune: true });
    await load({ version: 1, workspace: document.workspace, cms: { entries: [again] } });
    expect((await get('chefs/chef_2')).json.createdAt).toBe(again.createdAt);
    expect((await get('chefs/list?limit=1&fields=id')).json).toEqual([{ id: 'chef_2' }]);
  });
});

describe('the ETag of an entry', () => {
  it('is strong and the same for every selection and caller', async () => {
    const tags = await Promise.all([
      tagOf('chefs/chef_3'),
      tagOf('chefs/chef_3?fields=id'),
      tagOf('chefs/chef_3?fields=name,mentor(name)&maxDepth=6'),
      tagOf('chefs/chef_3?includeHidden=true', keys.chief),
      tagOf('chefs/chef_3', keys.cmsOnly),
    ]);
    expect(tags[0]).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(new Set(tags).size).toBe(1);
  });

  it('differs for each entry', async () => {
    const tags = [await tagOf('chefs/chef_3'), await tagOf('chefs/chef_5')];
    expect(tags).toEqual([expect.stringMatching(/^"/), expect.stringMatching(/^"/)]);
    expect(tags[0]).not.toBe(tags[1]);
  });

  it('changes with every update, whose answer has the new one', async () => {
    const before = await tagOf('chefs/chef_3');
    const first = await update('chefs/chef_3', { joined: '2026-01-01' });
    expect(first.headers['etag']).not.toBe(before);
    expect(await tagOf('chefs/chef_3?fields=id')).toBe(first.headers['etag']);
    const again = await update('chefs/chef_3', { joined: '2026-01-01' });
    expect(again.headers['etag']).not.toBe(first.headers['etag']);
    expect(await tagOf('chefs/chef_3')).toBe(again.headers['etag']);
  });

  it('stays after an update without a change, a refused update, and an equal import', async () => {
    const before = await tagOf('things/thing_1');
    expect((await update('things/thing_1', {})).status).toBe(200);
    expect((await update('things/thing_1', { amount: 'many' })).status).toBe(400);
    await load({ version: 1, workspace: document.workspace, cms: { entries: [document.cms.entries[5]] } });
    expect(await tagOf('things/thing_1')).toBe(before);
  });

  it('changes with an import that changes the entry', async () => {
    const before = await tagOf('things/thing_1');
    const { values, ...rest } = document.cms.entries[5];
    const entry = { ...rest, values: { ...values, amount: 7 } };
    await load({ version: 1, workspace: document.workspace, cms: { entries: [entry] } });
    const after = await get('things/thing_1');
    expect(after.json.amount).toBe(7);
    expect(after.headers['etag']).not.toBe(before);
  });

  it('is not an ETag of the answer: If-None-Match has no effect', async () => {
    const tag = (await tagOf('chefs/chef_1')) ?? '';
    const headers = { 'if-none-match': tag, 'if-match': '"another"' };
    const { status, json } = await call('GET /api/public/cms/chefs/chef_1', { key: keys.editor, headers });
    expect([status, json.id]).toEqual([200, 'chef_1']);
  });
});

describe('an absent entry', () => {
  it.each([
    'chef_6',
    'CHEF_1',
    'thing_1',
    'List',
    'lists',
    '__proto__',
    'constructor',
    '.',
    '..',
    '%20',
    'chef_1%20',
    'chef_1%23',
    '%2523',
    '2026-01-01T09:00:00.000Z%23chef_1',
    '%D9%A1',
    '%00',
  ])('is answered 404: %s', async (id) => {
    const { status, json, headers } = await get(`chefs/${id}`);
    expect(status).toBe(404);
    expect(json).toEqual({ message: 'CMS entry not found.', code: 'not_found' });
    expect(headers).not.toHaveProperty('etag');
  });

  it.each([129, 10_000])('is answered 404 for an id of %d characters', async (length) => {
    expect((await get(`chefs/${'x'.repeat(length)}`)).status).toBe(404);
  });

  it('is answered 404 in an unknown database', async () => {
    expect((await get('cooks/chef_1')).json).toEqual({ message: 'CMS database not found.', code: 'not_found' });
  });

  it('is answered 404 after an import has removed it', async () => {
    const { keys: others, document: other } = await openWorkspace('kitchen');
    const address = 'GET /api/public/cms/chefs/chef_3';
    expect((await call(address, { key: others.editor })).status).toBe(200);
    const entries = other.cms.entries.filter(({ id }: { id: string }) => id !== 'chef_3');
    await load({ version: 1, workspace: other.workspace, cms: { entries } }, { prune: true });
    expect((await call(address, { key: others.editor })).status).toBe(404);
    const { json } = await call('GET /api/public/cms/chefs/list?fields=mentor(id)', { key: others.editor });
    expect(json.map(({ mentor }: { mentor: unknown }) => mentor)).toEqual([
      { id: 'chef_4' },
      null,
      { id: 'chef_1' },
      null,
    ]);
  });
});

describe('the parameters of one entry', () => {
  it.each(['maxDepth=7', 'maxDepth=x', 'includeHidden=1', 'fields=name(', 'fields=nope', 'fields=phone'])(
    'are refused: %s (400)',
    async (query) => {
      const { status, json } = await get(`chefs/chef_1?${query}`);
      expect(status).toBe(400);
      expect(json.errors).toHaveLength(1);
    },
  );

  it.each(['limit=0', 'offset=x', 'limit=1&limit=2'])('do not include %s, which is ignored', async (query) => {
    expect((await get(`chefs/chef_1?${query}`)).status).toBe(200);
  });
});
