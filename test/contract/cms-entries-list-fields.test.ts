import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen');
const ask = (fields: string, query = 'limit=1') =>
  call(`GET /api/public/cms/chefs/list?${query}&fields=${encodeURIComponent(fields)}`, { key: kitchen.keys.chief });
const newest = async (fields: string, query?: string) => (await ask(fields, query)).json[0];

const systemFields = ['id', 'published', 'createdAt', 'updatedAt'];
const defaults = [...systemFields, 'name', 'bio', 'joined', 'mentor', 'friends', 'signature', 'likes'];
const nested = (levels: number, name = 'mentor') => `${`${name}(`.repeat(levels)}id${')'.repeat(levels)}`;

describe('the parameter fields', () => {
  it.each<[string, string[]]>([
    ['id', ['id']],
    ['name', ['id', 'name']],
    ['name,joined', ['id', 'name', 'joined']],
    ['joined,name,id', ['id', 'name', 'joined']],
    ['published,createdAt,updatedAt', systemFields],
    ['name,name', ['id', 'name']],
    ['  name ,   joined  ', ['id', 'name', 'joined']],
    ['mentor', ['id', 'mentor']],
    ['name , mentor ( id , name ) , joined', ['id', 'name', 'joined', 'mentor']],
  ])('%j selects %j, and of the others only the id is shown', async (fields, keys) => {
    expect(Object.keys(await newest(fields)).sort()).toEqual(keys.toSorted());
  });

  it.each(['', ' ', '     '])('%j counts as absent', async (fields) => {
    expect(Object.keys(await newest(fields))).toEqual(defaults);
  });

  it('selects in related entries by parentheses, where the id is always shown, too', async () => {
    expect(await newest('mentor(joined,mentor(published))')).toEqual({
      id: 'chef_5',
      mentor: { id: 'chef_4', joined: null, mentor: { id: 'chef_3', published: true } },
    });
  });

  it('expands a relation without parentheses with its default fields', async () => {
    const { mentor } = await newest('mentor', 'limit=1&maxDepth=1');
    expect(Object.keys(mentor)).toEqual(defaults);
  });

  it.each<[string, string]>([
    ['mentor(joined),mentor(published)', 'mentor(joined,published)'],
    ['mentor(mentor(joined)),name,mentor(mentor(published))', 'name,mentor(mentor(joined,published))'],
    ['mentor(id),mentor(mentor(id))', 'mentor(mentor(id))'],
    ['mentor,mentor(id)', 'mentor'],
    ['mentor(id),mentor', 'mentor'],
    ['mentor,mentor(mentor(id))', 'mentor'],
    ['mentor,mentor(friends(name),signature(id))', 'mentor'],
    ['mentor(mentor),mentor(mentor(id))', 'mentor(mentor)'],
    ['signature(slug),signature', 'signature'],
    ['signature(slug),signature(name)', 'signature(slug,name)'],
  ])('merges a repeated name: %s is %s', async (twice, once) => {
    const [left, right] = await Promise.all([ask(twice), ask(once)]);
    expect(left.status).toBe(200);
    expect(left.text).toBe(right.text);
  });

  it('allows 200 names, repetitions included, and no more', async () => {
    const times = (count: number) => ask(Array(count).fill('name').join());
    expect((await times(200)).status).toBe(200);
    expect(await times(201)).toMatchObject({ status: 400, json: { code: 'invalid_query' } });
    const inside = (count: number) =>
      ask(
        `mentor(${Array(count - 1)
          .fill('name')
          .join()})`,
      );
    expect((await inside(200)).status).toBe(200);
    expect((await inside(201)).status).toBe(400);
  });

  it('allows 6 nested pairs of parentheses, and no more', async () => {
    expect((await ask(nested(6))).status).toBe(200);
    expect((await ask(`${nested(6)},${nested(6, 'friends')}`)).status).toBe(200);
    expect(await ask(nested(7))).toMatchObject({ status: 400, json: { code: 'invalid_query' } });
  });

  it('allows 4 KB after decoding, and no more', async () => {
    expect((await ask('name'.padEnd(4_096))).status).toBe(200);
    expect(await ask('name'.padEnd(4_097))).toMatchObject({ status: 400, json: { code: 'invalid_query' } });
    expect((await ask('é'.repeat(2_048))).json.code).toBe('unknown_field');
    expect((await ask('é'.repeat(2_049))).json.code).toBe('invalid_query');
  });

  it.each<[string, string]>([
    ['10,000 names', Array(10_000).fill('name').join()],
    ['100,000 opening parentheses', '('.repeat(100_000)],
    ['a thousand levels', nested(1_000, 'a')],
  ])('400 for %s', async (_, fields) => {
    const { status, json } = await ask(fields);
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 'invalid_query', errors: [{ path: 'fields', code: 'too_large' }] });
  });
});

describe('400 for a malformed field list', () => {
  it.each([
    '(',
    ')',
    '()',
    ',',
    'name,',
    ',name',
    'name,,bio',
    'name, ,bio',
    'mentor(',
    'mentor(name',
    'mentor(name))',
    'mentor()',
    'mentor( )',
    'mentor(,)',
    'mentor(name,)',
    '(name)',
    'mentor(name)bio',
    'mentor(name)(bio)',
    'mentor(name) bio',
    'mentor)name(',
    'name;(',
    'mentor((name))',
  ])('%j, with the first error only', async (fields) => {
    const { status, json } = await ask(fields);
    expect(status).toBe(400);
    expect(json).toEqual({
      code: 'invalid_query',
      message: expect.any(String),
      errors: [{ path: 'fields', code: 'syntax', message: expect.any(String) }],
    });
  });
});

describe('400 for unknown fields', () => {
  it.each<[string, string[]]>([
    ['nope', ['fields.nope']],
    ['Name', ['fields.Name']],
    ['name.en', ['fields.name.en']],
    ['name bio', ['fields.name bio']],
    ['*', ['fields.*']],
    ['modelId', ['fields.modelId']],
    ['values', ['fields.values']],
    ['revision', ['fields.revision']],
    ['__proto__', ['fields.__proto__']],
    ['constructor,toString', ['fields.constructor', 'fields.toString']],
    ['mentor(__proto__)', ['fields.mentor.__proto__']],
    ['mentor.name', ['fields.mentor.name']],
    ['mentor(nope)', ['fields.mentor.nope']],
    ['nope(name)', ['fields.nope']],
    ['mentor(mentor(friends(nope)))', ['fields.mentor.mentor.friends.nope']],
    ['nope,mentor(nope,name),name,bad(x)', ['fields.nope', 'fields.bad', 'fields.mentor.nope']],
    ['likes(name)', ['fields.likes.name']],
    ['signature(nope)', ['fields.signature.nope']],
    ['signature(cmsData)', ['fields.signature.cmsData']],
    ['signature(categoryId)', ['fields.signature.categoryId']],
    ['signature(__proto__)', ['fields.signature.__proto__']],
  ])('%s, with all errors', async (fields, paths) => {
    const { status, json } = await ask(fields, 'limit=1&includeHidden=true');
    expect(status).toBe(400);
    expect(json.code).toBe('unknown_field');
    expect(json.errors.map(({ path }: { path: string }) => path).sort()).toEqual(paths.toSorted());
    expect(new Set(json.errors.map(({ code }: { code: string }) => code))).toEqual(new Set(['unknown_field']));
  });

  it.each(['!', ';', '"', ':true', '[]'])(
    'a name with %j after it is an unknown field, while the name alone stays valid',
    async (odd) => {
      const wrong = `mentor${odd},mentor${odd}(joined)`;
      expect((await ask(wrong)).status).toBe(400);
      expect((await ask('mentor(joined)')).status).toBe(200);
      expect((await ask(wrong)).status).toBe(400);
    },
  );

  it('unknown fields are 400 even at a depth that does not show them, and without entries', async () => {
    expect((await ask('mentor(nope)', 'maxDepth=0')).status).toBe(400);
    expect((await ask('mentor(nope)', 'offset=100')).status).toBe(400);
  });
});

describe('400 for parentheses on a field that is not a relation', () => {
  it.each<[string, string[], string[]]>([
    ['name(en)', ['fields.name'], []],
    ['id(x)', ['fields.id'], []],
    ['name,name(en)', ['fields.name'], []],
    ['mentor(joined(x),published(x))', ['fields.mentor.joined', 'fields.mentor.published'], []],
    ['signature(category(name))', ['fields.signature.category'], []],
    ['signature(suggestions(id),name(en))', ['fields.signature.suggestions', 'fields.signature.name'], []],
    ['name(en),nope', ['fields.name'], ['fields.nope']],
    ['nope,mentor(name(en))', ['fields.mentor.name'], ['fields.nope']],
  ])('%s: all errors of the two kinds', async (fields, noRelations, unknown) => {
    const { status, json } = await ask(fields);
    expect(status).toBe(400);
    expect(json.code).toBe('invalid_query');
    const pathsWith = (code: string) =>
      json.errors.filter((error: { code: string }) => error.code === code).map(({ path }: { path: string }) => path);
    expect(pathsWith('not_a_relation').sort()).toEqual(noRelations.toSorted());
    expect(pathsWith('unknown_field')).toEqual(unknown);
  });
});
