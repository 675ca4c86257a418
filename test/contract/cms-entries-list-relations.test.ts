import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const related = (key: string, to: string, many: boolean) => ({
  key,
  name: { en: key },
  type: 'relation',
  relation: { to, many },
});

const { keys } = await openWorkspace('kitchen', ({ cms }) => {
  cms.models.push(
    {
      id: 'knots',
      name: { en: 'Knots' },
      fields: [related('one', 'cms:knots', false), related('many', 'cms:knots', true)],
    },
    {
      id: 'loose',
      name: { en: 'Loose' },
      fields: [related('one', 'cms:absent', false), related('many', 'cms:absent', true)],
    },
  );
  const entry = (modelId: string, id: string, values: object) => ({ id, modelId, values });
  cms.entries.push(
    entry('knots', 'itself', { one: 'itself', many: ['itself', 'other'] }),
    entry('knots', 'other', { one: 'itself', many: ['other', 'gone', 'itself', 'too_gone'] }),
    entry('knots', 'dangling', { one: 'gone', many: ['gone'] }),
    entry('knots', 'empty', {}),
    entry('loose', 'thread', { one: 'gone', many: ['gone'] }),
  );
});
const get = (address: string) => call(`GET /api/public/cms/${address}`, { key: keys.editor });

/** Follows a member from entry to entry. @returns their ids */
const chain = (entry: Record<string, never> | null, member: string): string[] =>
  entry ? [entry['id'] ?? '', ...chain(entry[member] ?? null, member)] : [];

describe('a relation within maxDepth', () => {
  it.each([
    [0, ['chef_5', 'chef_4']],
    [1, ['chef_5', 'chef_4', 'chef_3']],
    [2, ['chef_5', 'chef_4', 'chef_3', 'chef_2']],
    [3, ['chef_5', 'chef_4', 'chef_3', 'chef_2', 'chef_1']],
    [6, ['chef_5', 'chef_4', 'chef_3', 'chef_2', 'chef_1']],
  ])('is an object down to depth %d, and an id in an object beyond', async (maxDepth, ids) => {
    const { json, headers } = await get(`chefs/list?limit=1&maxDepth=${maxDepth}`);
    expect(chain(json[0], 'mentor')).toEqual(ids);
    let entry = json[0];
    for (let depth = 0; depth <= maxDepth && entry; depth++) {
      expect(Object.keys(entry)).toContain('createdAt');
      entry = entry.mentor;
    }
    expect(entry ?? { id: ids.at(-1) }).toEqual({ id: ids.at(-1) });
    expect(headers['x-cms-max-depth']).toBe(String(maxDepth));
  });

  it('is expanded to depth 3 by default', async () => {
    const [three, open, empty] = await Promise.all(['?maxDepth=3', '', '?maxDepth='].map((q) => get(`chefs/list${q}`)));
    expect(open?.text).toBe(three?.text);
    expect(empty?.text).toBe(three?.text);
    expect(open?.headers['x-cms-max-depth']).toBe('3');
  });

  it('leads into another database and back', async () => {
    const { json } = await get('things/list?fields=chef(likes(title,chef(joined)))');
    expect(json[0].chef.likes).toMatchObject({ id: 'thing_1', chef: { id: 'chef_1', joined: null } });
  });

  it('shows unpublished entries, too', async () => {
    const { json } = await get('chefs/list?limit=1&fields=mentor(published)');
    expect(json).toEqual([{ id: 'chef_5', mentor: { id: 'chef_4', published: false } }]);
  });

  it('shows a change of its target in the next answer', async () => {
    const change = { key: keys.editor, body: { values: { bio: { en: 'Fresh' } } } };
    expect((await call('PATCH /api/public/cms/chefs/chef_4', change)).status).toBe(200);
    expect((await get('chefs/list?limit=1&fields=mentor(bio)')).json[0].mentor.bio).toEqual({ en: 'Fresh' });
  });
});

describe('a circle of relations', () => {
  it('is followed to the depth and no further', async () => {
    const { json } = await get('knots/itself?fields=one&maxDepth=6');
    expect(chain(json, 'one')).toEqual(Array(8).fill('itself'));
  });

  it('shows the same entry identically wherever it appears', async () => {
    const { json } = await get(
      'chefs/list?maxDepth=6&fields=name,updatedAt,friends(name,updatedAt,friends(name,updatedAt))',
    );
    const { friends, ...chef } = json[4];
    expect(json[0].friends[0]).toEqual({ ...chef, friends: [expect.objectContaining({ id: friends[0].id })] });
    expect(json[1].friends[0].friends[0]).toEqual(chef);
  });
});

describe('a relation to many', () => {
  it('keeps its order', async () => {
    const { json } = await get('knots/other?fields=many(id)&maxDepth=1');
    expect(json.many).toEqual([{ id: 'other' }, { id: 'itself' }]);
  });

  it('is [] without targets', async () => {
    expect((await get('knots/empty')).json).toMatchObject({ one: null, many: [] });
    expect((await get('knots/empty?maxDepth=0')).json).toMatchObject({ one: null, many: [] });
  });
});

describe('a target that no longer exists', () => {
  it('is null in a relation to one and left out of a relation to many, within the depth', async () => {
    const { json } = await get('knots/dangling?fields=one,many&maxDepth=1');
    expect(json).toEqual({ id: 'dangling', one: null, many: [] });
    const other = await get('knots/itself?fields=many(many(id))&maxDepth=2');
    expect(other.json.many[1]).toEqual({ id: 'other', many: [{ id: 'other' }, { id: 'itself' }] });
  });

  it('is not read beyond the depth', async () => {
    const { json } = await get('knots/dangling?fields=one,many&maxDepth=0');
    expect(json).toEqual({ id: 'dangling', one: { id: 'gone' }, many: [{ id: 'gone' }] });
    const other = await get('knots/itself?fields=many(many)&maxDepth=1');
    expect(other.json.many[1].many).toEqual(['other', 'gone', 'itself', 'too_gone'].map((id) => ({ id })));
  });

  it('is treated alike when its whole database does not exist', async () => {
    expect((await get('loose/list?fields=one,many')).json).toEqual([{ id: 'thread', one: null, many: [] }]);
    expect((await get('loose/list?fields=one,many&maxDepth=0')).json).toEqual([
      { id: 'thread', one: { id: 'gone' }, many: [{ id: 'gone' }] },
    ]);
  });

  it('has no fields to select when its database does not exist (400)', async () => {
    const { status, json } = await get('loose/list?fields=one(title),many(id)');
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 'unknown_field', errors: [{ path: 'fields.one.title' }] });
  });
});
