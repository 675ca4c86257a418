import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { documentOf, idsOf, pageOf, product, timeAtSecond, withProducts } from '#test/support/menu.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

/** Its creation time does not change. */
const rice = (rest: object = {}) => product('rice', { createdAt: timeAtSecond(1), ...rest });
const priced = (price: number) => ({ priceOptions: [{ id: 'po_1', price }] });
const open = () =>
  openWorkspace(
    'kitchen',
    withProducts(
      [
        product('tea', { ...priced(4.5), suggestions: ['rice', 'soup'] }),
        rice(priced(10)),
        product('soup', { published: false }),
      ],
      ({ menu }) => menu.categories.push({ id: 'cat_2', slug: 'second', name: { en: 'Second' } }),
    ),
  );
type Menu = Awaited<ReturnType<typeof open>>;
type Opened = Workspace<'access'>;

const bring = (kitchen: Menu, products: readonly object[], prune = false) =>
  load(documentOf(kitchen, { menu: { products } }), { prune });
const listedProduct = async ({ keys }: Menu, id: string) =>
  (await pageOf('products', keys.reader, { ids: id })).data[0];

describe('the next answer after an import', () => {
  it('shows a changed product, and finds it by its new values', async () => {
    const kitchen = await open();
    const { keys } = kitchen;
    expect(await idsOf('products', keys.reader)).toEqual(['rice', 'tea']);
    const changed = { name: { en: 'Coffee' }, slug: 'coffee', soldout: true, ...priced(6), barcode: '1' };
    await bring(kitchen, [product('tea', { ...changed, updatedAt: timeAtSecond(7) })]);
    expect(await listedProduct(kitchen, 'tea')).toMatchObject({
      ...changed,
      updatedAt: timeAtSecond(7),
      suggestions: [],
    });
    for (const query of ['search=coffee', 'slug=coffee', 'soldout=true', 'minPrice=6&maxPrice=6']) {
      expect(await idsOf('products', keys.reader, query)).toEqual(['tea']);
    }
    for (const query of ['search=tea', 'slug=tea', 'maxPrice=4.5']) {
      expect(await idsOf('products', keys.reader, query)).toEqual([]);
    }
  });

  it('shows a changed category and changed suggestions of a product', async () => {
    const kitchen = await open();
    expect((await listedProduct(kitchen, 'tea')).suggestions).toEqual([
      { id: 'rice', slug: 'rice', name: { en: 'rice' } },
    ]);
    await bring(kitchen, [product('soup', { slug: 'soup-2' }), rice({ name: { en: 'Basmati' } })]);
    expect((await listedProduct(kitchen, 'tea')).suggestions).toEqual([
      { id: 'rice', slug: 'rice', name: { en: 'Basmati' } },
      { id: 'soup', slug: 'soup-2', name: { en: 'soup' } },
    ]);
    await bring(kitchen, [rice({ published: false })]);
    expect((await listedProduct(kitchen, 'tea')).suggestions).toEqual([expect.objectContaining({ id: 'soup' })]);
    const category = { id: 'cat_1', slug: 'renamed', name: { ar: 'جديد' } };
    await load(documentOf(kitchen, { menu: { categories: [category] } }));
    expect((await listedProduct(kitchen, 'tea')).category).toEqual(category);
    expect(await idsOf('products', kitchen.keys.reader, 'categorySlug=renamed&sortBy=slug')).toEqual(['tea', 'soup']);
    expect(await idsOf('products', kitchen.keys.reader, 'categorySlug=mains')).toEqual([]);
  });

  it('finds a product in the category that it has moved to', async () => {
    const kitchen = await open();
    const inCategory = (slug: string) => idsOf('products', kitchen.keys.reader, { categorySlug: slug });
    expect([await inCategory('mains'), await inCategory('second')]).toEqual([['rice', 'tea'], []]);
    await bring(kitchen, [rice({ categoryId: 'cat_2' })]);
    expect([await inCategory('mains'), await inCategory('second')]).toEqual([['tea'], ['rice']]);
    expect((await listedProduct(kitchen, 'rice')).category).toEqual({
      id: 'cat_2',
      slug: 'second',
      name: { en: 'Second' },
    });
  });

  it('counts new, removed, published and unpublished products', async () => {
    const kitchen = await open();
    const total = async (query = '') => (await pageOf('products', kitchen.keys.chief, query)).pagination.total;
    expect([await total(), await total('published=false')]).toEqual([2, 1]);
    await bring(kitchen, [product('soup'), rice({ published: false }), product('new')]);
    expect([await total(), await total('published=false')]).toEqual([3, 1]);
    await bring(kitchen, [product('tea')], true);
    expect([await total(), await total('published=false')]).toEqual([1, 0]);
    expect((await listedProduct(kitchen, 'tea')).suggestions).toEqual([]);
  });

  it('finds products by slugs that they have exchanged', async () => {
    const kitchen = await open();
    const bySlug = (slug: string) => idsOf('products', kitchen.keys.reader, { slug });
    await bring(kitchen, [rice({ slug: 'tea' }), product('tea', { slug: 'rice' })]);
    expect([await bySlug('tea'), await bySlug('rice')]).toEqual([['rice'], ['tea']]);
    expect(await listedProduct(kitchen, 'tea')).toMatchObject({ slug: 'rice', suggestions: [] });
  });

  it('is the same without a change', async () => {
    const kitchen = await open();
    const before = await pageOf('products', kitchen.keys.reader);
    await load(kitchen.document);
    await load(kitchen.document, { prune: true });
    expect(await pageOf('products', kitchen.keys.reader)).toEqual(before);
  });
});

const changeBarcode = async ({ keys }: Opened, id: string) => {
  const { admin: key } = keys;
  const { status } = await call(`PATCH /api/v1/manage/menu-products/${id}`, {
    key,
    body: { barcode: `${id} changed` },
  });
  expect(status).toBe(200);
};

describe('lists beside imports', () => {
  it('show the whole menu before or after', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    const version = (name: string, count: number) =>
      numbers
        .slice(0, count)
        .map((number) =>
          product(`p${number}`, { name: { en: name }, slug: `${name}-${number}`, suggestions: ['p0', 'p39'] }),
        );
    const kitchen = await openWorkspace('access', withProducts(version('one', 40)));
    // Their rows come from the log, not from the base.
    for (const id of ['p1', 'p7', 'p12']) await changeBarcode(kitchen, id);
    let running = true;
    const imports = (async () => {
      for (const name of isLongRun ? ['two', 'three', 'four', 'five', 'six'] : ['two', 'three', 'six']) {
        await bring(kitchen, version(name, name === 'three' ? 20 : 40), true);
      }
    })().finally(() => {
      running = false;
    });
    const seen: {
      data: readonly { name: { en: string }; suggestions: { name: { en: string } }[] }[];
      total: number;
    }[] = [];
    while (running) {
      const { data, pagination } = await pageOf('products', kitchen.keys.reader, 'limit=100');
      seen.push({ data, total: pagination.total });
    }
    await imports;
    for (const { data, total } of seen) {
      const names = new Set(
        data.flatMap(({ name, suggestions }) => [name, ...suggestions.map((each) => each.name)]).map(({ en }) => en),
      );
      expect([...names]).toHaveLength(1);
      expect(data).toHaveLength(total);
      expect(total).toBe(names.has('three') ? 20 : 40);
    }
    expect((await pageOf('products', kitchen.keys.reader, 'limit=1')).data[0].name.en).toBe('six');
  });
});
