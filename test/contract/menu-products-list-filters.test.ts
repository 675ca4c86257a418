import { describe, expect, it } from '@jest/globals';
import { idsOf, pageOf, product, type Query, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const prices = (...list: number[]) => ({ priceOptions: list.map((price, index) => ({ id: `po_${index}`, price })) });
const category = (id: string, slug: string) => ({ id, slug, name: { en: slug } });

const { keys } = await openWorkspace(
  'kitchen',
  withProducts(
    [
      product('free', prices(0)),
      product('cheap', prices(0.125, 4.5)),
      product('family', { ...prices(90.01, 10), soldout: true }),
      product('dear', { ...prices(1_000_000), categoryId: 'cat_2', soldout: true }),
      product('priceless', { categoryId: 'cat_3', slug: 'بلا-سعر' }),
      product('secret', { ...prices(4.5), published: false, categoryId: 'cat_2' }),
      product('secret-too', { published: false, soldout: true }),
      // Its slug, category id and name are also another member's value of other products.
      product('cat_2', { slug: 'mains', name: { en: 'drinks' }, categoryId: 'desserts' }),
    ],
    ({ menu }) =>
      menu.categories.push(
        category('cat_2', 'drinks'),
        category('cat_3', 'حلويات'),
        category('desserts', 'cat_1'),
        category('empty', 'empty'),
      ),
  ),
);
const found = async (query: Query, key = keys.reader) => (await idsOf('products', key, query)).sort();
const published = ['cat_2', 'cheap', 'dear', 'family', 'free', 'priceless'];
const inMains = ['cheap', 'family', 'free'];

describe('a category', () => {
  it.each<[Query, string[]]>([
    ['categoryId=cat_1', inMains],
    ['categoryId=cat_2', ['dear']],
    ['categoryId=desserts', ['cat_2']],
    ['categoryId=mains', []],
    ['categoryId=empty', []],
    ['categoryId=nobody', []],
    ['categoryId=cat_1,cat_2', []],
    ['categoryId=CAT_1', []],
    ['categoryId=%20cat_1', []],
    ['categorySlug=mains', inMains],
    ['categorySlug=drinks', ['dear']],
    ['categorySlug=cat_1', ['cat_2']],
    [{ categorySlug: 'حلويات' }, ['priceless']],
    ['categorySlug=empty', []],
    ['categorySlug=nobody', []],
    ['categorySlug=Mains', []],
    ['categorySlug=mains,drinks', []],
    ['categorySlug=any', []],
    ['categorySlugs=mains', inMains],
    ['categorySlugs=mains,drinks', [...inMains, 'dear']],
    ['categorySlugs=%20mains%20,,%20drinks%20,mains,', [...inMains, 'dear']],
    ['categorySlugs=nobody,drinks,empty', ['dear']],
    ['categorySlugs=nobody', []],
    ['categorySlug=drinks&categorySlugs=mains', [...inMains, 'dear']],
    ['categorySlug=mains&categorySlugs=mains', inMains],
    ['categorySlug=nobody&categorySlugs=mains', inMains],
    ['categorySlug=mains&categorySlugs=nobody', inMains],
    ['categorySlug=nobody&categorySlugs=nobody', []],
    ['categorySlug=mains&categorySlugs=', inMains],
    ['categoryId=cat_1&categorySlug=mains', inMains],
    ['categoryId=cat_1&categorySlug=drinks', []],
    ['categoryId=cat_2&categorySlugs=mains,drinks', ['dear']],
    ['categoryId=__proto__', []],
    ['categorySlug=constructor', []],
  ])('%s', async (query, ids) => expect(await found(query)).toEqual(ids.toSorted()));
});

describe('price bounds', () => {
  it.each<[Query, string[]]>([
    ['minPrice=0', ['cheap', 'dear', 'family', 'free']],
    ['maxPrice=999999999999999', ['cheap', 'dear', 'family', 'free']],
    ['minPrice=4.5', ['cheap', 'dear', 'family']],
    ['minPrice=4.500', ['cheap', 'dear', 'family']],
    ['minPrice=4.501', ['dear', 'family']],
    ['minPrice=90.01', ['dear', 'family']],
    ['minPrice=90.02', ['dear']],
    ['minPrice=1000000', ['dear']],
    ['minPrice=1000000.001', []],
    ['maxPrice=0', ['free']],
    ['maxPrice=0.124', ['free']],
    ['maxPrice=0.125', ['cheap', 'free']],
    ['maxPrice=4.499', ['cheap', 'free']],
    ['maxPrice=10', ['cheap', 'family', 'free']],
    ['minPrice=4.5&maxPrice=4.5', ['cheap']],
    ['minPrice=0.126&maxPrice=4.499', []],
    ['minPrice=11&maxPrice=90', []],
    ['minPrice=10&maxPrice=90', ['family']],
    ['minPrice=5&maxPrice=4', []],
    ['minPrice=4.5&maxPrice=0.125', []],
    ['minPrice=0&maxPrice=0', ['free']],
  ])('are inclusive, and one option must be within both: %s', async (query, ids) => {
    expect(await found(query)).toEqual(ids);
  });

  it('give an empty page when no price can be between them (200)', async () => {
    expect(await pageOf('products', keys.reader, 'minPrice=2&maxPrice=1')).toEqual({
      data: [],
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0, hasMore: false },
    });
  });
});

describe('flags, slug and ids', () => {
  it.each<[Query, string[]]>([
    ['', published],
    ['soldout=true', ['dear', 'family']],
    ['soldout=false', ['cat_2', 'cheap', 'free', 'priceless']],
    ['slug=cheap', ['cheap']],
    ['slug=mains', ['cat_2']],
    [{ slug: 'بلا-سعر' }, ['priceless']],
    ['slug=Cheap', []],
    ['slug=chea', []],
    ['slug=cheap,free', []],
    ['slug=cat_2', []],
    ['slug=secret', []],
    ['ids=cheap', ['cheap']],
    ['ids=free,cheap,free', ['cheap', 'free']],
    ['ids=%20free%20,,%20cheap,', ['cheap', 'free']],
    ['ids=nobody,free', ['free']],
    ['ids=nobody', []],
    ['ids=mains', []],
    ['ids=secret,secret-too', []],
    ['ids=__proto__,constructor,..,%2E', []],
    ['ids=FREE', []],
  ])('%s', async (query, ids) => expect(await found(query)).toEqual(ids));

  it.each<[Query, string[]]>([
    ['published=false', ['secret', 'secret-too']],
    ['published=false&soldout=true', ['secret-too']],
    ['published=false&minPrice=0', ['secret']],
    ['published=false&categorySlug=drinks', ['secret']],
    ['published=false&ids=free,secret', ['secret']],
    ['published=false&slug=free', []],
    ['published=false&search=secret', ['secret', 'secret-too']],
    ['published=true', published],
    ['published=true&slug=secret', []],
  ])('%s for a caller who may see unpublished products', async (query, ids) => {
    expect(await found(query, keys.chief)).toEqual(ids);
  });
});

describe('several filters', () => {
  it.each<[Query, string[]]>([
    ['categorySlug=mains&soldout=true', ['family']],
    ['categorySlug=mains&soldout=false&maxPrice=4', ['cheap', 'free']],
    ['ids=free,dear&soldout=true', ['dear']],
    ['ids=free,dear&slug=free', ['free']],
    ['ids=free,dear&slug=cheap', []],
    ['search=e&minPrice=10', ['dear']],
    ['search=drinks', ['cat_2']],
    ['search=drinks&categorySlug=drinks', []],
    ['search=e&ids=free,cheap,family&soldout=false&categoryId=cat_1&minPrice=0.1&maxPrice=0.2', ['cheap']],
  ])('must all match: %s', async (query, ids) => expect(await found(query)).toEqual(ids));

  it('apply to the total of all pages', async () => {
    const { data, pagination } = await pageOf('products', keys.reader, 'categorySlug=mains&limit=2&page=2');
    expect(data).toHaveLength(1);
    expect(pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2, hasMore: false });
  });
});
