import { describe, expect, it } from '@jest/globals';
import { callList, documentOf, idsOf, pageOf, product, timeAtSecond, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const category = (id: string, rest: object) => ({
  id,
  slug: id,
  name: { en: id },
  createdAt: timeAtSecond(0),
  updatedAt: timeAtSecond(0),
  ...rest,
});

/** In ascending order by position. The document has another order. */
const categories = [
  category('first', { position: -1.5 }),
  category('second', { position: 0, createdAt: timeAtSecond(1) }),
  category('third', { position: 0, createdAt: timeAtSecond(2) }),
  category('fourth', { position: 1e300 }),
  category('a-null', { createdAt: timeAtSecond(5) }),
  category('b-null', { position: null, createdAt: timeAtSecond(5) }),
];
const products = [
  product('z', { categoryId: 'first', position: 2, createdAt: timeAtSecond(9) }),
  product('y', { categoryId: 'first', position: 10, createdAt: timeAtSecond(8) }),
  product('x', { categoryId: 'second', position: -1e300, createdAt: timeAtSecond(3) }),
  product('w', { categoryId: 'second', position: 1e300, createdAt: timeAtSecond(1) }),
  product('m', { categoryId: 'second', position: 1e300, createdAt: timeAtSecond(2) }),
  product('n', { categoryId: 'second', position: 1e300, createdAt: timeAtSecond(2) }),
  product('v', { categoryId: 'second', createdAt: timeAtSecond(1) }),
  product('u', { categoryId: 'second', createdAt: timeAtSecond(2) }),
  product('t', { categoryId: 'b-null', position: 1 }),
];
const shown = await openWorkspace(
  'kitchen',
  withProducts(
    products.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    ({ menu }) => {
      menu.categories = categories.toReversed();
    },
  ),
);
const { reader } = shown.keys;
const ascending = products.map(({ id }) => id);

describe('products sorted by position', () => {
  it('are ordered by category, then by position, without a position last, ties oldest first', async () => {
    expect(await idsOf('products', reader, 'sortBy=position')).toEqual(ascending);
    expect(await idsOf('products', reader, 'sortBy=position&sortOrder=asc')).toEqual(ascending);
  });

  it('reverse the positions of categories and products in descending order, and nothing else', async () => {
    const descending = ['w', 'm', 'n', 'x', 'v', 'u', 'y', 'z', 't'];
    expect(await idsOf('products', reader, 'sortBy=position&sortOrder=desc')).toEqual(descending);
  });

  it('are filtered and paged like any list', async () => {
    const filtered = await idsOf('products', reader, 'sortBy=position&categorySlugs=second,b-null&ids=t,u,w,m&limit=3');
    expect(filtered).toEqual(['w', 'm', 'u']);
    const { data, pagination } = await pageOf('products', reader, 'sortBy=position&page=3&limit=4');
    expect([data.map(({ id }) => id), pagination.total]).toEqual([['t'], 9]);
  });

  it('follow a change of the category in the next answer, with another ETag', async () => {
    const kitchen = await openWorkspace(
      'kitchen',
      withProducts([product('a', { categoryId: 'one' }), product('b', { categoryId: 'two' })], (d) => {
        d.menu.categories = [category('one', { position: 1 }), category('two', { position: 2 })];
      }),
    );
    const before = await callList('products', kitchen.keys.reader, 'sortBy=position');
    expect(before.json.data.map(({ id }: { id: string }) => id)).toEqual(['a', 'b']);
    await load(documentOf(kitchen, { menu: { categories: [category('one', { position: 3 })] } }));
    const after = await callList('products', kitchen.keys.reader, 'sortBy=position');
    expect(after.json.data.map(({ id }: { id: string }) => id)).toEqual(['b', 'a']);
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
  });
});

describe('categories sorted by position', () => {
  it('are last without a position, ties oldest first, then by id', async () => {
    const order = ['first', 'second', 'third', 'fourth', 'a-null', 'b-null'];
    expect(await idsOf('categories', reader, 'sortBy=position')).toEqual(order);
    const descending = ['fourth', 'second', 'third', 'first', 'a-null', 'b-null'];
    expect(await idsOf('categories', reader, 'sortBy=position&sortOrder=desc')).toEqual(descending);
  });

  it('list their products by position, too', async () => {
    const listed = async (query: string) => {
      const { data } = await pageOf('categories', reader, `includeProducts=true&slug=second&${query}`);
      return data[0].products.map(({ id }: { id: string }) => id).join('');
    };
    expect(await listed('sortBy=position')).toBe('xwmnvu');
    expect(await listed('sortBy=position&sortOrder=desc')).toBe('wmnxvu');
    expect(await listed('sortBy=name')).toBe('xunmwv');
  });
});

it('positions change no default order, and no public answer shows them', async () => {
  const without = await openWorkspace(
    'kitchen',
    withProducts(
      products.map(({ position, ...rest }: Record<string, unknown>) => rest),
      ({ menu }) => {
        menu.categories = categories.map(({ position, ...rest }: Record<string, unknown>) => rest);
      },
    ),
  );
  for (const [list, query] of [
    ['products', ''],
    ['products', 'sortBy=name'],
    ['categories', 'includeProducts=true'],
  ] as const) {
    const own = await callList(list, reader, query);
    const other = await callList(list, without.keys.reader, query);
    expect(own.text).toBe(other.text);
    expect(own.text).not.toMatch(/position|soldoutUntil/);
  }
});

it('the default order has one ETag, requested or not', async () => {
  const tagOf = async (query: string) => (await callList('products', reader, query)).headers['etag'];
  expect(await tagOf('sortBy=position')).toBe(await tagOf('sortBy=position&sortOrder=asc'));
  expect(await tagOf('sortBy=name')).toBe(await tagOf('sortBy=name&sortOrder=desc'));
  expect(await tagOf('sortBy=position')).not.toBe(await tagOf('sortBy=position&sortOrder=desc'));
});
