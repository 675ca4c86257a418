import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { endpoint as categoriesEndpoint } from '#functions/menu-categories-list/endpoint.ts';
import { endpoint as productsEndpoint } from '#functions/menu-products-list/endpoint.ts';
import { type Answer, call } from './call.ts';
import type { Opened } from './presets/preset.ts';
import type { Document } from './world.ts';

export type Query = string | Readonly<Record<string, string | number | boolean>>;

export interface Page {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the records; the shape is checked.
  readonly data: readonly any[];
  readonly pagination: z.infer<typeof productsEndpoint.response>['pagination'];
}

const lists = { products: productsEndpoint, categories: categoriesEndpoint };
export type ListName = keyof typeof lists;

/** The response of a menu list, of any status. */
export const callList = (list: ListName, key: string, query: Query = '', method = 'GET'): Promise<Answer> =>
  call(`${method} ${lists[list].path}?${new URLSearchParams({ apiKey: key })}&${textOf(query)}`);

/** A page of a menu list. It must have status 200 and exactly the declared members. */
export async function pageOf(list: ListName, key: string, query: Query = ''): Promise<Page> {
  const { status, json, text } = await callList(list, key, query);
  if (status !== 200) throw new Error(`${status} for ${textOf(query)}: ${text}`);
  if (!isDeepStrictEqual(z.parse(lists[list].response, json), json)) throw new Error(`Members are missing: ${text}`);
  return json;
}

/** The ids on a page, in order. */
export const idsOf = async (list: ListName, key: string, query: Query = ''): Promise<string[]> =>
  (await pageOf(list, key, query)).data.map(({ id }) => id);

const textOf = (query: Query): string =>
  typeof query === 'string'
    ? query
    : String(
        new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string])),
      );

/** A time stamp this number of seconds after the first of January. */
export const timeAtSecond = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();

/** A product of a document, in the category of every kitchen. */
export const product = <Rest extends object>(id: string, rest = {} as Rest) => ({
  id,
  slug: id,
  name: { en: id },
  categoryId: 'cat_1',
  createdAt: timeAtSecond(0),
  updatedAt: timeAtSecond(0),
  ...rest,
});

/** The change of a document to these products; `change` may alter it further. */
export const withProducts =
  (products: readonly object[], change: (document: Document) => void = () => undefined) =>
  (document: Document): void => {
    document.menu.products = products;
    change(document);
  };

/** A document with other records for an import. */
export const documentOf = ({ document: { workspace } }: Pick<Opened, 'document'>, rest: object): Document => ({
  version: 1,
  workspace,
  ...rest,
});

/** Sort and paging parameters that both lists refuse, and the path in the refusal. */
export const malformedPages: readonly (readonly [query: string, path: string])[] = [
  ...['0', '-1', '+1', '1.5', '1e1', '01', '0x1', 'one', ' 1', '1,2', '١', '1000000000000000'].map(
    (page) => [`page=${encodeURIComponent(page)}`, 'page'] as const,
  ),
  ...['0', '101', '-1', '+1', '20.0', '020', 'all', '٢٠'].map(
    (limit) => [`limit=${encodeURIComponent(limit)}`, 'limit'] as const,
  ),
  ...['price', 'Name', 'created_at', 'id', '-name', 'name,slug', '__proto__'].map(
    (sortBy) => [`sortBy=${sortBy}`, 'sortBy'] as const,
  ),
  ...['ASC', 'ascending', '1', '-1'].map((sortOrder) => [`sortOrder=${sortOrder}`, 'sortOrder'] as const),
];
