import { describe, expect, it } from '@jest/globals';
import { withoutRequestId } from '#test/support/answers.ts';
import { type Answer, call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const { canary, keys } = await openWorkspace('kitchen', ({ cms }) => {
  const [chefs, things] = cms.models;
  const toChefs = { type: 'relation', relation: { to: 'cms:chefs', many: false } };
  chefs.fields.push({ key: 'boss', name: { en: 'Boss' }, hidden: true, ...toChefs });
  things.fields.push({ key: 'maker', name: { en: 'Maker' }, hidden: true, required: true, ...toChefs });
  for (const { values } of cms.entries.slice(1, 5)) values.boss = 'chef_1';
  cms.entries[5].values.maker = 'chef_5';
});
const secret = `hidden ${canary}`;
const list = (query: string, key: string) => call(`GET /api/public/cms/chefs/list?${query}`, { key });

describe('hidden fields', () => {
  it('are shown at every depth to a key that has the permission and requests them', async () => {
    const { status, text, json } = await list('includeHidden=true&maxDepth=6', keys.chief);
    expect(status).toBe(200);
    expect(json[0].phone).toBe('+966500000005');
    expect(json[0].mentor.mentor.mentor.phone).toBe('+966500000002');
    expect(json[0].friends[0].likes.secret).toBe(secret);
    expect(json[4].likes.chef.phone).toBe('+966500000001');
    expect(json[0].boss.likes.maker.boss).toMatchObject({ id: 'chef_1', phone: '+966500000001' });
    expect(text).toContain('+96650000000');
  });

  it.each<[string, string, string]>([
    ['has the permission and does not request them', keys.chief, 'maxDepth=6'],
    ['has the permission and declines them', keys.chief, 'maxDepth=6&includeHidden=false'],
    ['has the permission and sends an empty parameter', keys.chief, 'maxDepth=6&includeHidden='],
    ['requests them without the permission', keys.reader, 'maxDepth=6&includeHidden=true'],
    ['requests them with the permission to update', keys.editor, 'maxDepth=6&includeHidden=true'],
  ])('are left out at every depth when the key %s', async (_, key, query) => {
    const { status, text } = await list(query, key);
    expect(status).toBe(200);
    expect(text).not.toMatch(/"secret"|"boss"|"maker"|\+96650000000/);
    expect(text).not.toContain(secret);
  });

  it('leave the answer unchanged when they are requested without the permission', async () => {
    const [wish, none] = await Promise.all(['includeHidden=true', ''].map((query) => list(query, keys.reader)));
    expect(wish && withoutRequestId(wish)).toEqual(none && withoutRequestId(none));
  });

  it('can be selected by a key that has the permission and requests them', async () => {
    const fields = 'phone,boss(phone),likes(secret,maker(id))';
    const { json } = await list(`limit=1&offset=4&includeHidden=true&fields=${fields}`, keys.chief);
    expect(json).toEqual([
      {
        id: 'chef_1',
        phone: '+966500000001',
        boss: null,
        likes: { id: 'thing_1', secret, maker: { id: 'chef_5' } },
      },
    ]);
  });

  it('hidden fields of a product relation require no other permission', async () => {
    const { json } = await list('limit=1&includeHidden=true&fields=signature(slug)', keys.chief);
    expect(json[0].signature).toEqual([
      { id: 'prod_1', slug: 'kabsa' },
      { id: 'prod_2', slug: 'unpublished' },
    ]);
  });
});

describe('a field that an import hides', () => {
  it('is unknown in the next answer, and shown again as soon as it is visible', async () => {
    const { document, keys: own } = await openWorkspace('kitchen');
    const things = (query: string) => call(`GET /api/public/cms/things/list?${query}`, { key: own.reader });
    const [, model] = document.cms.models;
    const hide = async (hidden: boolean) => {
      const fields = model.fields.map((field: { key: string }) =>
        field.key === 'title' ? { ...field, hidden } : field,
      );
      await load({ version: 1, workspace: document.workspace, cms: { models: [{ ...model, fields }] } });
    };
    expect((await things('fields=title')).json[0].title).toContain('Thing');
    await hide(true);
    expect((await things('fields=title')).status).toBe(400);
    expect((await things('')).json[0]).not.toHaveProperty('title');
    await hide(false);
    expect((await things('')).json[0].title).toContain('Thing');
  });
});

describe('400 for the name of a hidden field, byte for byte as for an unknown name', () => {
  const named = [
    ['phone', 'nopes'],
    ['name,phone,joined', 'name,nopes,joined'],
    ['phone(x)', 'nopes(x)'],
    ['boss', 'nope'],
    ['boss(id)', 'nope(id)'],
    ['boss(name,nope)', 'wxyz(name,nope)'],
    ['mentor(mentor(phone))', 'mentor(mentor(nopes))'],
    ['likes(secret)', 'likes(nopers)'],
    ['likes(maker(name))', 'likes(nopes(name))'],
    ['phone,name(x)', 'nopes,name(x)'],
  ] as const;
  const callers: [string, string, string][] = [
    ['requests it without the permission', keys.reader, '&includeHidden=true'],
    ['lacks the permission and does not request it', keys.reader, ''],
    ['has the permission and does not request it', keys.chief, ''],
  ];
  const hidden = ['phone', 'boss', 'secret', 'maker'];
  const unknown = ['nopes', 'nope', 'nopers', 'wxyz'];
  const blurred = (answer: Answer) => {
    const { status, text, headers } = withoutRequestId(answer);
    const names = new RegExp(`\\b(?:${[...hidden, ...unknown].join('|')})\\b`, 'g');
    return { status, text: text.replaceAll(names, 'it'), headers };
  };

  it.each(named.flatMap((pair) => callers.map((caller) => [...pair, ...caller] as const)))(
    '%s as %s, when the key %s',
    async (hiddenName, unknownName, _, key, wish) => {
      const [left, right] = await Promise.all([
        list(`fields=${hiddenName}${wish}`, key),
        list(`fields=${unknownName}${wish}`, key),
      ]);
      expect(left.status).toBe(400);
      expect(blurred(left)).toEqual(blurred(right));
    },
  );
});

describe('includeHidden', () => {
  it.each(['true', 'false', ''])('may be %j', async (value) => {
    expect((await list(`includeHidden=${value}`, keys.reader)).status).toBe(200);
  });

  it.each(['TRUE', 'True', '1', '0', 'yes', 'on', 'null', '%20true', 'true%20', 'truefalse', 'true,true', '[]'])(
    'is refused as %s, which is neither true nor false',
    async (value) => {
      const { status, json } = await list(`includeHidden=${value}`, keys.chief);
      expect(status).toBe(400);
      expect(json).toMatchObject({ code: 'invalid_query', errors: [{ path: 'includeHidden' }] });
    },
  );
});
