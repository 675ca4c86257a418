import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const big = ['big_1', 'big_2', 'big_3'];
const kitchen = await openWorkspace('kitchen', (document) => {
  const name = { en: 'x'.repeat(140_000) };
  for (const id of big) document.cms.entries.push({ id, modelId: 'chefs', values: { name, friends: big } });
});
const { editor, chief, cmsOnly } = kitchen.keys;
const chef = '/api/public/cms/chefs/chef_2';
const update = (query: string, values: object, key = editor) =>
  call(`PATCH ${chef}${query}`, { key, body: { values } });

describe('the parameter fields', () => {
  it.each<[string, string[]]>([
    [
      '',
      ['id', 'published', 'createdAt', 'updatedAt', 'name', 'bio', 'joined', 'mentor', 'friends', 'signature', 'likes'],
    ],
    [
      '?fields=',
      ['id', 'published', 'createdAt', 'updatedAt', 'name', 'bio', 'joined', 'mentor', 'friends', 'signature', 'likes'],
    ],
    ['?fields=bio', ['id', 'bio']],
    ['?fields=id', ['id']],
    ['?fields=likes,%20joined%20,bio', ['id', 'bio', 'joined', 'likes']],
    ['?fields=published,updatedAt', ['id', 'published', 'updatedAt']],
  ])('the parameter fields=%j shows %j', async (query, names) => {
    const { status, json } = await update(query, { joined: '2026-01-02' });
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(names.toSorted());
  });

  it('shows an entry that refers to itself with the new values, in its relation, too', async () => {
    await update('', { mentor: 'chef_2' });
    for (const day of ['2026-02-03', '2026-02-04']) {
      const { json } = await update('?fields=joined,mentor(joined)', { joined: day });
      expect(json).toEqual({ id: 'chef_2', joined: day, mentor: { id: 'chef_2', joined: day } });
    }
  });

  it('selects inside of relations', async () => {
    const { json } = await update('?fields=mentor(name,mentor(id))', { mentor: 'chef_3' });
    const name = kitchen.document.cms.entries.find(({ id }: { id: string }) => id === 'chef_3').values.name;
    expect(json).toEqual({ id: 'chef_2', mentor: { id: 'chef_3', name, mentor: { id: 'chef_2' } } });
  });

  it('shows the new values of the entry also in its relations to itself', async () => {
    await update('', { mentor: 'chef_2' });
    const { json } = await update('?fields=mentor(joined,mentor(joined,bio))', {
      joined: '2026-07-07',
      bio: { en: 'Now' },
    });
    expect(json.mentor).toEqual({
      id: 'chef_2',
      joined: '2026-07-07',
      mentor: { id: 'chef_2', joined: '2026-07-07', bio: { en: 'Now' } },
    });
  });

  it('changes the answer only: an updated field may be left out of it', async () => {
    const { json } = await update('?fields=bio', { joined: '2026-08-08' });
    expect(json).not.toHaveProperty('joined');
    expect((await call(`GET ${chef}?fields=joined`, { key: editor })).json.joined).toBe('2026-08-08');
  });

  it.each(['nope', 'phone', 'mentor(nope)', 'mentor(phone)'])(
    'refuses %s (400 unknown_field), and nothing is written',
    async (fields) => {
      const before = (await call(`GET ${chef}`, { key: editor })).text;
      const { status, json } = await update(`?fields=${fields}`, { joined: '2026-08-09' });
      expect(status).toBe(400);
      expect(json.code).toBe('unknown_field');
      expect(json.errors).toEqual([
        {
          path: `fields.${fields.replace('(', '.').replace(')', '')}`,
          code: 'unknown_field',
          message: expect.stringMatching(/ .*\.$/),
        },
      ]);
      expect((await call(`GET ${chef}`, { key: editor })).text).toBe(before);
    },
  );
});

describe('maxDepth', () => {
  const depthOf = (entry: { mentor?: unknown } | null): number =>
    entry && typeof entry === 'object' && 'mentor' in entry ? 1 + depthOf(entry.mentor as object) : 0;

  it.each([
    ['', 4, '3'],
    ['&maxDepth=0', 1, '0'],
    ['&maxDepth=2', 3, '2'],
    ['&maxDepth=6', 7, '6'],
  ])('maxDepth of %j expands the new relation to this depth', async (query, depth, used) => {
    const { json, headers } = await update(`?fields=mentor${query}`, { mentor: 'chef_2' });
    expect(depthOf(json)).toBe(Number(depth));
    expect(headers['x-cms-max-depth']).toBe(used);
  });

  it.each(['', '&maxDepth=3', '&maxDepth=6'])(
    'maxDepth of %j is lowered to the capacity of an answer, never refused',
    async (query) => {
      const path = `/api/public/cms/chefs/big_1?fields=name,friends(name,friends(name,friends))${query}`;
      const { status, json, headers } = await call(`PATCH ${path}`, {
        key: editor,
        body: { values: { friends: big.toReversed() } },
      });
      expect(status).toBe(200);
      expect(headers['x-cms-max-depth']).toBe('2');
      expect(json.friends.map(({ id }: { id: string }) => id)).toEqual(big.toReversed());
      expect(json.friends[0].friends[0].friends).toEqual(expect.arrayContaining(big.map((id) => ({ id }))));
      expect((await call(`GET ${path}`, { key: editor })).status).toBe(query === '' ? 200 : 400);
    },
  );
});

describe('hidden fields', () => {
  it.each(['', '?includeHidden=true', '?includeHidden=false'])(
    '%j: are written only by a key that may read them',
    async (query) => {
      const before = (await call(`GET ${chef}?includeHidden=true`, { key: chief })).text;
      for (const [values, field] of [
        [{ phone: '+966511111111' }, 'phone'],
        [{ phone: null }, 'phone'],
        [{ phone: 1 }, 'phone'],
      ] as const) {
        const hidden = await update(query, values);
        const unknown = await update(query, { nohid: 1 });
        expect(hidden.status).toBe(400);
        expect(issuesOf(hidden)).toEqual([`values.${field} unknown_field`]);
        expect(hidden.text.replaceAll('phone', 'nohid')).toBe(unknown.text);
      }
      expect((await call(`GET ${chef}?includeHidden=true`, { key: chief })).text).toBe(before);
      const phone = `+96652222222${query.length % 10}`;
      expect((await update(query, { phone }, chief)).status).toBe(200);
      expect((await call(`GET ${chef}?includeHidden=true`, { key: chief })).json.phone).toBe(phone);
    },
  );

  it('are validated for a key that may write them (400)', async () => {
    const { status, json } = await update('', { phone: 'x' }, chief);
    expect(status).toBe(400);
    expect(issuesOf({ json })).toEqual(['values.phone format']);
  });

  it.each([
    [editor, '?includeHidden=true', false],
    [chief, '', false],
    [chief, '?includeHidden=false', false],
    [chief, '?includeHidden=true', true],
  ])('are shown only if the key has the permission and the request asks for them', async (key, query, shown) => {
    const { status, json } = await update(query, { joined: '2026-01-03', mentor: 'chef_3' }, key);
    expect(status).toBe(200);
    expect('phone' in json).toBe(shown);
    expect('phone' in json.mentor).toBe(shown);
  });

  it('keep their values when other fields change', async () => {
    await update('', { phone: '+966533333333' }, chief);
    await update('', { joined: null });
    expect((await call(`GET ${chef}?includeHidden=true`, { key: chief })).json.phone).toBe('+966533333333');
  });
});

describe('related products', () => {
  const signature = ['prod_1', 'prod_2'];
  it("are shown according to the key's permissions", async () => {
    const seen = await update('?fields=signature(slug)', { signature });
    expect(seen.json.signature).toEqual([{ id: 'prod_1', slug: 'kabsa' }, { id: 'prod_2' }]);
    const all = await update('?fields=signature(slug)', { signature }, chief);
    expect(all.json.signature).toEqual([
      { id: 'prod_1', slug: 'kabsa' },
      { id: 'prod_2', slug: 'unpublished' },
    ]);
    expect((await update('', { signature }, cmsOnly)).status).toBe(403);
  });
});
