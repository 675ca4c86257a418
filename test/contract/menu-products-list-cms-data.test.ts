import { describe, expect, it } from '@jest/globals';
import { callList, pageOf, product, timeAtSecond, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const field = (key: string, type: string, rest: object = {}) => ({ key, name: { en: key }, type, ...rest });
const relation = (key: string, to: string, many: boolean, rest: object = {}) =>
  field(key, 'relation', { relation: { to, many }, ...rest });
const dishes = relation('dishes', 'menu:product', true);
const entry = (modelId: string, id: string, values: object, rest: object = {}) => ({
  id,
  modelId,
  createdAt: timeAtSecond(0),
  updatedAt: timeAtSecond(5),
  values,
  ...rest,
});

const models: Record<string, object[]> = {
  recipes: [
    field('title', 'text', { required: true }),
    field('secret', 'text', { hidden: true }),
    field('method', 'longText', { localized: true }),
    relation('dish', 'menu:product', false),
    relation('author', 'cms:chefs', false),
    field('steps', 'json'),
    relation('helpers', 'cms:chefs', true),
    relation('based', 'cms:recipes', false),
    relation('internal', 'menu:product', true, { hidden: true }),
  ],
  reviews: [dishes, relation('instead', 'menu:product', true)],
  internal: [relation('dishes', 'menu:product', true, { hidden: true })],
  unrelated: [field('dishes', 'text'), relation('recipe', 'cms:recipes', false)],
  silent: [dishes],
  constructor: [dishes],
  '10': [dishes],
  'A.b:c_-9': [dishes],
};
const entries = [
  entry('recipes', 'full', {
    title: 'Kabsa "house" \\ style\n🍋',
    secret: 'never',
    method: { ar: 'اطبخ', en: 'Cook' },
    dish: 'kabsa',
    author: 'chef_4',
    steps: { b: [1, null, '"'], a: {} },
    helpers: ['chef_2', 'chef_gone'],
    based: 'gone',
  }),
  entry('recipes', 'bare', { title: 'Bare', dish: 'kabsa' }, { createdAt: timeAtSecond(9) }),
  entry('recipes', 'draft', { title: 'Draft', dish: 'kabsa' }, { published: false, createdAt: timeAtSecond(10) }),
  entry('recipes', 'inside', { title: 'Inside', internal: ['kabsa', 'tea'] }),
  entry('recipes', 'nowhere', { title: 'Nowhere' }),
  entry('recipes', 'lost', { title: 'Lost', dish: 'gone' }),
  ...['b', 'a', 'B', 'ab', 'a.b', '_', '10', '9'].map((id) => entry('reviews', id, { dishes: ['tea', 'kabsa'] })),
  entry('reviews', 'newest', { dishes: ['tea'], instead: ['tea', 'draft'] }, { createdAt: timeAtSecond(2) }),
  entry('reviews', 'oldest', { instead: ['kabsa', 'tea'] }, { createdAt: '2025-12-31T23:59:59.999Z' }),
  entry('internal', 'one', { dishes: ['tea'] }),
  entry('unrelated', 'one', { dishes: 'tea', recipe: 'full' }),
  entry('silent', 'one', { dishes: ['tea'] }, { published: false }),
  ...['constructor', '10', 'A.b:c_-9'].map((modelId) => entry(modelId, 'one', { dishes: ['odd'] })),
];

const { canary, keys, workspaceId } = await openWorkspace(
  'kitchen',
  withProducts(
    [
      product('kabsa'),
      product('tea'),
      product('odd', { createdAt: timeAtSecond(7) }),
      product('lonely', { createdAt: timeAtSecond(8) }),
      product('draft', { published: false }),
      product('prod_1'),
    ],
    ({ cms, apiKeys }) => {
      cms.models.push(...Object.entries(models).map(([id, fields]) => ({ id, name: { en: id }, fields })));
      cms.entries.push(...entries);
      const permissions = ['menu:product:read', 'menu:product:read-unpublished', 'cms:entry:read-hidden'];
      apiKeys.push({ ...apiKeys[0], id: 'key_menu', secret: `menuOnly-${apiKeys[0].secret}`, permissions });
    },
  ),
);
const menuOnly = `menuOnly-reader-${workspaceId}`;

async function cmsDataOf(id: string, key = keys.reader, query = '') {
  const { data } = await pageOf('products', key, `ids=${id}&${query}`);
  expect(data).toHaveLength(1);
  return data[0].cmsData;
}
const idsIn = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe('cmsData', () => {
  it('contains the entries that relate to the product, by database', async () => {
    const kabsa = await cmsDataOf('kabsa');
    const tea = await cmsDataOf('tea');
    expect(Object.keys(kabsa).sort()).toEqual(['recipes', 'reviews']);
    expect(idsIn(kabsa.recipes)).toEqual(['bare', 'full']);
    expect(Object.keys(tea)).toEqual(['reviews']);
  });

  it('contains databases of any id', async () => {
    const odd = await cmsDataOf('odd');
    expect(Object.keys(odd).sort()).toEqual(['10', 'A.b:c_-9', 'constructor']);
    for (const list of Object.values(odd)) expect(list).toEqual([expect.objectContaining({ id: 'one' })]);
  });

  it('shows the system fields and every visible field of an entry, relations as their ids', async () => {
    const { recipes } = await cmsDataOf('kabsa');
    expect(recipes[1]).toEqual({
      id: 'full',
      published: true,
      createdAt: timeAtSecond(0),
      updatedAt: timeAtSecond(5),
      title: 'Kabsa "house" \\ style\n🍋',
      method: { en: 'Cook', ar: 'اطبخ' },
      dish: { id: 'kabsa' },
      author: { id: 'chef_4' },
      steps: { b: [1, null, '"'], a: {} },
      helpers: [{ id: 'chef_2' }, { id: 'chef_gone' }],
      based: { id: 'gone' },
    });
  });

  it('shows null and empty lists for absent values', async () => {
    const { recipes } = await cmsDataOf('kabsa');
    expect(recipes[0]).toEqual({
      id: 'bare',
      published: true,
      createdAt: timeAtSecond(9),
      updatedAt: timeAtSecond(5),
      title: 'Bare',
      method: null,
      dish: { id: 'kabsa' },
      author: null,
      steps: null,
      helpers: [],
      based: null,
    });
  });

  it('has the entries newest first, then by id descending, each one time', async () => {
    const sameTime = ['b', 'ab', 'a.b', 'a', '_', 'B', '9', '10'];
    expect(idsIn((await cmsDataOf('tea')).reviews)).toEqual(['newest', ...sameTime, 'oldest']);
    expect(idsIn((await cmsDataOf('kabsa')).reviews)).toEqual([...sameTime, 'oldest']);
  });

  it('is an empty object without a related published entry', async () => {
    expect(await cmsDataOf('lonely')).toEqual({});
  });

  it('is included for an unpublished product, too', async () => {
    const cmsData = await cmsDataOf('draft', keys.chief, 'published=false');
    expect(Object.keys(cmsData)).toEqual(['reviews']);
    expect(idsIn(cmsData.reviews)).toEqual(['newest']);
  });

  it('shows no hidden field and follows no hidden relation, whatever the permissions', async () => {
    for (const key of [keys.reader, keys.chief]) {
      const { text } = await callList('products', key);
      expect(text).not.toMatch(/secret|never|internal|Inside/);
    }
    expect(await cmsDataOf('tea', keys.chief)).toEqual(await cmsDataOf('tea', keys.reader));
  });

  it('is the same for a product on any page', async () => {
    const { data } = await pageOf('products', keys.reader);
    expect(data.map(({ id }) => id)).toEqual(['lonely', 'odd', 'tea', 'prod_1', 'kabsa']);
    for (const { id, cmsData } of data) expect(cmsData).toEqual(await cmsDataOf(id));
  });

  it('follows relations of earlier imports, too', async () => {
    const { chefs } = await cmsDataOf('prod_1');
    expect(idsIn(chefs)).toEqual(['chef_5']);
    expect(chefs[0]).toMatchObject({
      name: { en: `Chef 5 ${canary}` },
      mentor: { id: 'chef_4' },
      signature: [{ id: 'prod_1' }, { id: 'prod_2' }, { id: 'prod_gone' }],
    });
    expect(chefs[0]).not.toHaveProperty('phone');
  });
});

describe('cmsData depends on', () => {
  it('the permission to read entries: {} without it', async () => {
    const { data } = await pageOf('products', menuOnly);
    expect(data.map(({ cmsData }) => cmsData)).toEqual([{}, {}, {}, {}, {}]);
    expect(await cmsDataOf('draft', menuOnly, 'published=false')).toEqual({});
  });

  it.each(['includeCmsData=false', 'includeCmsData=false&ids=kabsa', 'includeCmsData=false&published=false'])(
    'the request: absent with %s',
    async (query) => {
      for (const key of [keys.chief, menuOnly]) {
        const { data } = await pageOf('products', key, query);
        expect(data.length).toBeGreaterThan(0);
        for (const each of data) expect(each).not.toHaveProperty('cmsData');
      }
    },
  );

  it('relations between databases and products: {} without any', async () => {
    const without = await openWorkspace(
      'kitchen',
      withProducts([product('kabsa')], ({ cms }) => {
        cms.entries = [];
        cms.models = [{ id: 'things', name: { en: 'Things' }, fields: [field('text', 'text')] }];
      }),
    );
    expect((await pageOf('products', without.keys.reader)).data).toEqual([expect.objectContaining({ cmsData: {} })]);
  });
});
