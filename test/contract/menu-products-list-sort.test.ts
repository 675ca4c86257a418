import { describe, expect, it } from '@jest/globals';
import { documentOf, idsOf, product, timeAtSecond, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const sorts = ['name', 'createdAt', 'updatedAt', 'slug'] as const;

/** The values to sort by, in ascending order. The ids have another order on purpose. */
const slugs = ['-', '0', '10', '2', 'A', 'B', '_', 'a', 'a-', 'aa', 'b', 'é', 'ش', '\ufb8f', '\uff21', '𐐀', '𐐨a'];
const idOf = (index: number) => `p${(index * 7) % slugs.length}`;
const inSlugOrder = slugs.map((_, index) => idOf(index));

const bySlug = await openWorkspace(
  'kitchen',
  withProducts(slugs.map((slug, index) => product(idOf(index), { slug })).toReversed()),
);

describe('sorted by slug', () => {
  it('by code point, letters beyond the basic plane last', async () => {
    expect(await idsOf('products', bySlug.keys.reader, 'sortBy=slug&sortOrder=asc')).toEqual(inSlugOrder);
    expect(await idsOf('products', bySlug.keys.reader, 'sortBy=slug&sortOrder=desc')).toEqual(inSlugOrder.toReversed());
  });

  it('descending by default', async () => {
    expect(await idsOf('products', bySlug.keys.reader, 'sortBy=slug')).toEqual(inSlugOrder.toReversed());
  });
});

/** In ascending order, by the folded name in English, or else in the first language. */
const names: [string, object][] = [
  ['ten', { en: '١٠' }],
  ['two', { ar: '۲' }],
  ['apple', { ar: 'ي', en: 'Äpple' }],
  ['apricot', { en: 'apricot' }],
  ['banana', { de: 'BANANA', ar: 'ا' }],
  ['cote', { en: 'Côte' }],
  ['coteA', { en: 'COTE a' }],
  ['sharp', { en: 'ß' }],
  ['zebra', { en: 'ｚebra' }],
  ['omega', { en: 'Ω' }],
  ['alef', { ar: 'أب', de: 'a' }],
  ['alef-later', { ar: 'آت', de: 'a' }],
  ['kaf', { ar: 'کباب' }],
  ['heart', { en: '\ue000' }],
  ['deseret', { en: '𐐀' }],
  ['lemon', { en: '🍋' }],
];
const byName = await openWorkspace(
  'kitchen',
  withProducts(names.map(([id, name]) => product(id, { name })).toReversed(), ({ workspace }) => {
    workspace.languages = ['de', 'ar', 'en'];
  }),
);
const nameOrder = names.map(([id]) => id);

describe('sorted by name', () => {
  it("uses the folded name in the workspace's default language, or else the product's first language", async () => {
    expect(await idsOf('products', byName.keys.reader, 'sortBy=name&sortOrder=asc')).toEqual(nameOrder);
    expect(await idsOf('products', byName.keys.reader, 'sortBy=name&sortOrder=desc')).toEqual(nameOrder.toReversed());
  });

  it('follows the default language in the next answer', async () => {
    const { keys, document } = await openWorkspace(
      'kitchen',
      withProducts([product('one', { name: { en: 'a', ar: 'ب' } }), product('two', { name: { en: 'b', ar: 'ا' } })]),
    );
    const order = () => idsOf('products', keys.reader, 'sortBy=name&sortOrder=asc');
    expect(await order()).toEqual(['one', 'two']);
    await load({ version: 1, workspace: { ...document.workspace, defaultLanguage: 'ar' } });
    expect(await order()).toEqual(['two', 'one']);
    await load({ version: 1, workspace: document.workspace });
    expect(await order()).toEqual(['one', 'two']);
  });
});

const byTime = await openWorkspace(
  'kitchen',
  withProducts([
    product('b', { createdAt: timeAtSecond(2), updatedAt: timeAtSecond(9) }),
    product('a', { createdAt: timeAtSecond(1), updatedAt: timeAtSecond(20) }),
    product('d', { createdAt: '1999-12-31T23:59:59.999Z', updatedAt: timeAtSecond(10) }),
    product('c', { createdAt: '2026-01-01T00:00:01.001Z', updatedAt: timeAtSecond(3) }),
  ]),
);

describe('sorted by time', () => {
  it.each([
    ['sortBy=createdAt&sortOrder=asc', 'd a c b'],
    ['sortBy=createdAt&sortOrder=desc', 'b c a d'],
    ['sortBy=createdAt', 'b c a d'],
    ['sortOrder=asc', 'd a c b'],
    ['', 'b c a d'],
    ['sortBy=updatedAt&sortOrder=asc', 'c b d a'],
    ['sortBy=updatedAt&sortOrder=desc', 'a d b c'],
    ['sortBy=updatedAt', 'a d b c'],
  ])('%s', async (query, order) => {
    expect((await idsOf('products', byTime.keys.reader, query)).join(' ')).toBe(order);
  });
});

/** Equal products except for their ids and slugs; half of them are unpublished. */
const ids = ['.a', '0', '10', '2', 'A', 'B', '_', 'a', 'a-b', 'a.b', 'a:b', 'aB', 'ab', 'b'];
const twins = await openWorkspace(
  'kitchen',
  withProducts([
    ...ids.map((id, index) => product(id, { slug: `slug-${index}`, name: { en: index % 2 ? 'Twin' : 'TWÍN' } })),
    ...ids.map((id, index) => product(`${id}x`, { slug: `x-${index}`, name: { en: 'Draft' }, published: false })),
  ]),
);
const inIdOrder = ids.toSorted((a, b) => (a < b ? -1 : 1));

describe('products with equal values', () => {
  it.each(['name', 'createdAt', 'updatedAt'])(
    'are ordered by id when sorted by %s, in the same direction',
    async (sortBy) => {
      expect(await idsOf('products', twins.keys.reader, { sortBy, sortOrder: 'asc' })).toEqual(inIdOrder);
      expect(await idsOf('products', twins.keys.reader, { sortBy, sortOrder: 'desc' })).toEqual(inIdOrder.toReversed());
    },
  );

  it('are ordered by id among unpublished ones and on every page, too', async () => {
    const drafts = await idsOf('products', twins.keys.chief, 'published=false&sortBy=name&sortOrder=asc');
    const byCode = ids.map((id) => `${id}x`).sort((a, b) => (a < b ? -1 : 1));
    expect(drafts).toEqual(byCode);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => idsOf('products', twins.keys.reader, { sortBy: 'name', limit: 5, page })),
    );
    expect(pages.flat()).toEqual(inIdOrder.toReversed());
  });
});

describe('a filter', () => {
  it.each(sorts)('keeps the order by %s', async (sortBy) => {
    for (const sortOrder of ['asc', 'desc']) {
      const all = await idsOf('products', byName.keys.reader, { sortBy, sortOrder });
      const some = all.filter((id) => id.includes('a'));
      const query = { sortBy, sortOrder, ids: some.toSorted().join() };
      expect(await idsOf('products', byName.keys.reader, query)).toEqual(some);
    }
  });
});

describe('after an import', () => {
  it('every order is that of the new records in the next answer', async () => {
    const kitchen = await openWorkspace(
      'kitchen',
      withProducts([product('a'), product('b'), product('c', { name: { en: 'z' } })]),
    );
    const order = async () => {
      const each = sorts.map((sortBy) => idsOf('products', kitchen.keys.reader, { sortBy, sortOrder: 'asc' }));
      return (await Promise.all(each)).map((list) => list.join(''));
    };
    expect(await order()).toEqual(['abc', 'abc', 'abc', 'abc']);
    const changed = { name: { en: 'zz' }, slug: 'zz', updatedAt: timeAtSecond(6) };
    await load(documentOf(kitchen, { menu: { products: [product('a', changed)] } }));
    // The creation time of a stored record does not change.
    expect(await order()).toEqual(['bca', 'abc', 'bca', 'bca']);
    await load(documentOf(kitchen, { menu: { products: [product('b'), product('ab')] } }), { prune: true });
    expect(await order()).toEqual(['abb', 'abb', 'abb', 'abb']);
  });
});
