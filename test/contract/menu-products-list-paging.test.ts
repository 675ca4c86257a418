import { describe, expect, it } from '@jest/globals';
import { someOf } from '#test/support/long-run.ts';
import { idsOf, pageOf, product, timeAtSecond, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const total = 1_203;

/** Three products for each time stamp and name, every fourth in the second category. The document lists them unordered. */
const products = Array.from({ length: total }, (_, index) => {
  const shuffled = (index * 7_919) % total;
  return product(`p-${(shuffled * 31) % total}`, {
    slug: `slug-${shuffled % 10}-${shuffled}`,
    name: { en: `Dish ${Math.floor(shuffled / 3) % 200}` },
    createdAt: timeAtSecond(Math.floor(shuffled / 3)),
    updatedAt: timeAtSecond((shuffled * 17) % 401),
    categoryId: shuffled % 4 === 0 ? 'cat_2' : 'cat_1',
    soldout: shuffled % 5 === 0,
  });
});
const { keys } = await openWorkspace(
  'kitchen',
  withProducts([...products, product('draft', { published: false })], ({ menu }) => {
    menu.categories.push({ id: 'cat_2', slug: 'second', name: { en: 'Second' } });
  }),
);

type Listed = (typeof products)[number];

const sortedBy: Record<string, (each: Listed) => string> = {
  name: ({ name }) => name.en.toLowerCase(),
  slug: ({ slug }) => slug,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};

/** The expected order of a whole list, computed without the service. */
function expected(sortBy: string, sortOrder: string, among: readonly Listed[] = products): string[] {
  const key = sortedBy[sortBy] as (each: Listed) => string;
  const position = (each: Listed) => `${key(each)}\n${each.id}`;
  const ids = among.toSorted((a, b) => (position(a) < position(b) ? -1 : 1)).map(({ id }) => id);
  return sortOrder === 'asc' ? ids : ids.reverse();
}

/** All pages of a list, and the pagination of each. */
async function walk(query: Record<string, string | number>) {
  const seen: string[] = [];
  for (let page = 1; ; page++) {
    const { data, pagination } = await pageOf('products', keys.reader, { ...query, page });
    expect(pagination).toMatchObject({ page, limit: Number(query['limit']) });
    seen.push(...data.map(({ id }) => id));
    if (!pagination.hasMore) return { seen, pagination };
    expect(data).toHaveLength(pagination.limit);
  }
}

describe('paging through 1,203 products', () => {
  const orders = ['asc', 'desc'] as const;
  /** Every field, and then every field in the other order. */
  const sorts = [0, 1].flatMap((turn) =>
    Object.keys(sortedBy).map((sortBy, index) => [sortBy, orders[(index + turn) % 2] ?? ''] as const),
  );
  it.each(someOf(sorts, 4))('shows each one time, in order, by %s %s', async (sortBy, sortOrder) => {
    const { seen, pagination } = await walk({ sortBy, sortOrder, limit: 100, includeCmsData: 'false' });
    expect(seen).toEqual(expected(sortBy, sortOrder));
    expect(pagination).toEqual({ page: 13, limit: 100, total, totalPages: 13, hasMore: false });
  });

  it('shows each one time in pages of 77, with cmsData', async () => {
    const { seen, pagination } = await walk({ limit: 77 });
    expect(seen).toEqual(expected('createdAt', 'desc'));
    expect(pagination).toEqual({ page: 16, limit: 77, total, totalPages: 16, hasMore: false });
  });

  it('shows each product of a filtered list one time', async () => {
    const { seen, pagination } = await walk({ categorySlug: 'second', soldout: 'false', sortBy: 'name', limit: 50 });
    const some = products.filter(({ categoryId, soldout }) => categoryId === 'cat_2' && !soldout);
    expect(seen).toEqual(expected('name', 'desc', some));
    expect(pagination).toMatchObject({ total: some.length, totalPages: Math.ceil(some.length / 50) });
  });

  it.each([
    [1, 1, 1_203, true],
    [1_202, 1, 1_203, true],
    [1_203, 1, 1_203, false],
    [12, 100, 13, true],
    [13, 100, 13, false],
    [24, 50, 25, true],
    [25, 50, 25, false],
    [401, 3, 401, false],
  ])('reports the position of page %d with %d products a page', async (page, limit, totalPages, hasMore) => {
    const { data, pagination } = await pageOf('products', keys.reader, { page, limit, includeCmsData: false });
    expect(data.map(({ id }) => id)).toEqual(expected('createdAt', 'desc').slice((page - 1) * limit, page * limit));
    expect(pagination).toEqual({ page, limit, total, totalPages, hasMore });
  });

  it('finds any of them by id, slug and search', async () => {
    for (const { id, slug } of products.filter((_, index) => index % 97 === 0)) {
      expect(await idsOf('products', keys.reader, { ids: id })).toEqual([id]);
      expect(await idsOf('products', keys.reader, { slug })).toEqual([id]);
    }
    const { pagination } = await pageOf('products', keys.reader, { search: 'dish 199' });
    expect(pagination.total).toBe(6);
  });
});

describe('a page past the end', () => {
  it.each([
    ['page=14&limit=100', { page: 14, limit: 100, total, totalPages: 13, hasMore: false }],
    ['page=62', { page: 62, limit: 20, total, totalPages: 61, hasMore: false }],
    ['page=1204&limit=1', { page: 1_204, limit: 1, total, totalPages: 1_203, hasMore: false }],
    [
      'page=999999999999999&limit=100',
      { page: 999_999_999_999_999, limit: 100, total, totalPages: 13, hasMore: false },
    ],
    ['page=2&ids=p-1,p-2', { page: 2, limit: 20, total: 2, totalPages: 1, hasMore: false }],
    ['page=2&ids=nobody', { page: 2, limit: 20, total: 0, totalPages: 0, hasMore: false }],
    ['ids=nobody', { page: 1, limit: 20, total: 0, totalPages: 0, hasMore: false }],
  ])('is empty for %s (200)', async (query, pagination) => {
    expect(await pageOf('products', keys.reader, query)).toEqual({ data: [], pagination });
  });
});

describe('unpublished products', () => {
  it('are counted separately', async () => {
    const { data, pagination } = await pageOf('products', keys.chief, 'published=false&limit=1');
    expect(data).toHaveLength(1);
    expect(pagination).toEqual({ page: 1, limit: 1, total: 1, totalPages: 1, hasMore: false });
  });
});
