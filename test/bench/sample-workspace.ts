import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { articlesOf, type SampleData, type SampleProduct, type SampleSize, sampleData } from './sample-data.ts';

type RecordOfKind = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** The secret of the workspace's only key, which has all measured permissions. */
export const secretOf = (workspaceId: string): string => `bench-key-of-${workspaceId}`.padEnd(20, '-');

/**
 * Writes the sample data as a workspace document. The products also exist as the entries `dishes`, because only entries
 * have relations of two levels and a PATCH.
 */
export const writeSampleWorkspace = (file: string, workspaceId: string, size: SampleSize): Promise<void> =>
  writeDocument(file, sampleRecords(workspaceId, size, [menuProduct, dish]));

/** The same workspace without the dishes. */
export const writeMenu = (file: string, workspaceId: string, size: SampleSize): Promise<void> =>
  writeDocument(file, sampleRecords(workspaceId, size, [menuProduct]));

/** A workspace with an empty menu of categories. */
export const writeCategories = (file: string, workspaceId: string, categories: number): Promise<void> =>
  writeDocument(file, categoryRecords(workspaceId, { categories, tags: 0, articles: 0, products: 0 }));

/** A workspace with this number of products, entries `notes` and forms, and a key that may change all of them. */
export const writeManagedWorkspace = (file: string, workspaceId: string, items: number): Promise<void> =>
  writeDocument(file, managedRecords(workspaceId, items));

const writeDocument = (file: string, records: Iterable<RecordOfKind>): Promise<void> =>
  pipeline(Readable.from(lines(records)), createWriteStream(file));

function* lines(records: Iterable<RecordOfKind>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

function* categoryRecords(workspaceId: string, size: SampleSize): Generator<RecordOfKind> {
  yield* accessRecords(workspaceId);
  yield* menuCategories(sampleData(size));
}

function* managedRecords(workspaceId: string, items: number): Generator<RecordOfKind> {
  yield* accessRecords(workspaceId, [
    'cms:entry:create',
    'cms:entry:delete',
    'menu:product:manage',
    'forms:form:manage',
  ]);
  yield model('notes', field('title', 'text', localized));
  const data = sampleData({ categories: 1, tags: 0, articles: 0, products: items });
  yield* menuCategories(data);
  let position = 0;
  for (const { slug, name } of data.products) {
    yield { kind: 'menuProduct', id: productId(position), slug, name, categoryId: 'category-0', ...times(position) };
    yield entry('notes', `note-${position}`, position, { slug, title: name });
    yield { kind: 'form', id: `form-${position}`, slug, title: name };
    position++;
  }
}

type MakeRecord = (product: SampleProduct, position: number) => RecordOfKind;

function* sampleRecords(workspaceId: string, size: SampleSize, made: readonly MakeRecord[]): Generator<RecordOfKind> {
  const data = sampleData(size);
  yield* accessRecords(workspaceId);
  yield* models;
  yield* menuCategories(data);
  for (const [position, { slug, name }] of data.categories.entries()) {
    yield entry('categories', `category-${position}`, position, { slug, name });
  }
  for (const [position, values] of data.tags.entries()) yield entry('tags', `tag-${position}`, position, { ...values });
  const productIds = productsByArticle(size);
  for (const [position, { slug, title, body, tag }] of data.articles.entries()) {
    const products = productIds.get(position) ?? [];
    yield entry('articles', `article-${position}`, position, { slug, title, body, tag: `tag-${tag}`, products });
  }
  let position = 0;
  for (const product of data.products) {
    for (const make of made) yield make(product, position);
    position++;
  }
}

function* accessRecords(id: string, more: readonly string[] = []): Generator<RecordOfKind> {
  const languages = ['en', 'ar'];
  yield { kind: 'workspace', version: 1, id, name: id, languages, defaultLanguage: 'en', currency: 'SAR' };
  const cms = ['cms:entry:read', 'cms:entry:read-unpublished', 'cms:entry:update'];
  const permissions = [...cms, 'menu:product:read', 'menu:category:read', ...more];
  yield { kind: 'apiKey', id: 'key', name: 'Bench', secret: secretOf(id), permissions };
}

function* menuCategories({ categories }: SampleData): Generator<RecordOfKind> {
  for (const [position, { slug, name }] of categories.entries()) {
    yield { kind: 'menuCategory', id: `category-${position}`, slug, name, ...times(position) };
  }
}

function menuProduct(product: SampleProduct, position: number): RecordOfKind {
  const { priceOptions, images, category, articles: _, ...rest } = product;
  return {
    kind: 'menuProduct',
    id: productId(position),
    ...rest,
    priceOptions: priceOptions.map(({ label, price }) => ({ id: label, price, name: { en: label } })),
    images: images.map((url, index) => ({ id: `image-${position}-${index}`, url })),
    categoryId: `category-${category}`,
    ...times(position),
  };
}

function dish(product: SampleProduct, position: number): RecordOfKind {
  const { published, category, articles, ...values } = product;
  const relations = { category: `category-${category}`, articles: articles.map((article) => `article-${article}`) };
  return { ...entry('dishes', dishId(position), position, { ...values, ...relations }), published };
}

export const dishId = (position: number): string => `dish-${position}`;
const productId = (position: number): string => `product-${position}`;

const entry = (modelId: string, id: string, position: number, values: Readonly<Record<string, unknown>>) => ({
  kind: 'cmsEntry',
  id,
  modelId,
  ...times(position),
  values,
});

/** Creation times are a minute apart, so that lists by time have an order. The order by update is different. */
function times(position: number) {
  const minute = (count: number) => new Date(Date.UTC(2026, 0, 1) + count * 60_000).toISOString();
  return { createdAt: minute(position), updatedAt: minute(position + ((position * 7_919) % 100_000)) };
}

function productsByArticle(size: SampleSize): Map<number, string[]> {
  const products = new Map<number, string[]>();
  for (let position = 0; position < size.products; position++) {
    for (const article of articlesOf(position, size)) {
      const ids = products.get(article) ?? [];
      products.set(article, ids);
      ids.push(productId(position));
    }
  }
  return products;
}

const field = (key: string, type: string, more: object = {}) => ({ key, name: { en: key }, type, ...more });
const localized = { localized: true };
const relation = (key: string, to: string, many: boolean) => field(key, 'relation', { relation: { to, many } });
const model = (id: string, ...fields: object[]) => ({
  kind: 'cmsModel',
  id,
  name: { en: id },
  fields: [field('slug', 'text'), ...fields],
});

const models = [
  model('categories', field('name', 'text', localized)),
  model('tags', field('label', 'text')),
  model(
    'articles',
    field('title', 'text', localized),
    field('body', 'longText'),
    relation('tag', 'cms:tags', false),
    relation('products', 'menu:product', true),
  ),
  model(
    'dishes',
    field('barcode', 'text'),
    field('name', 'text', localized),
    field('intro', 'longText', localized),
    field('description', 'longText', localized),
    field('priceOptions', 'json'),
    field('soldout', 'boolean'),
    field('preparationTime', 'number'),
    field('nutritionFacts', 'json'),
    field('images', 'json'),
    relation('category', 'cms:categories', false),
    relation('articles', 'cms:articles', true),
  ),
];
