import { expect } from '@jest/globals';
import type { Answer } from './call.ts';
import type { Container } from './containers.ts';

/** Requests for all data of a kitchen: lists, single records, expanded relations, `cmsData`. */
export const views: readonly string[] = [
  'GET /api/public/cms/chefs/list?maxDepth=0',
  'GET /api/public/cms/chefs/list?maxDepth=3&limit=2&offset=1',
  'GET /api/public/cms/chefs/list?includeProducts=true',
  'GET /api/public/cms/things/list?maxDepth=1',
  'GET /api/public/cms/chefs/chef_5?maxDepth=6&includeProducts=true',
  'GET /api/public/cms/things/thing_1',
  'GET /api/public/menu/products',
  'GET /api/public/menu/products?includeCmsData=false&sortBy=name',
  'GET /api/public/menu/products?ids=prod_3',
  'GET /api/public/menu/categories',
];

/** The content of an answer for a client, without parts that differ in each answer. */
export const visiblePart = ({ status, headers, text }: Answer) => ({
  status,
  etag: headers['etag'],
  total: headers['x-cms-total'],
  text,
});
export type VisiblePart = ReturnType<typeof visiblePart>;

/** All views of a container. The menu takes its key in the query. */
export async function viewsOf(container: Container, key: string): Promise<Record<string, VisiblePart>> {
  const shown: [string, VisiblePart][] = [];
  for (const view of views) shown.push([view, visiblePart(await container.call(withKey(view, key), { key }))]);
  return Object.fromEntries(shown);
}

/** Adds the key to the query of a request, for routes that read it only there. */
export function withKey(request: string, key: string): string {
  if (!request.includes('/menu/')) return request;
  return `${request}${request.includes('?') ? '&' : '?'}apiKey=${encodeURIComponent(key)}`;
}

/** Expects that all containers return the same bytes under the same tags. @returns their contents */
export async function expectSameViews(
  containers: readonly Container[],
  key: string,
): Promise<Record<string, VisiblePart>> {
  const [first = {}, ...others] = await Promise.all(containers.map((container) => viewsOf(container, key)));
  for (const other of others) expect(other).toEqual(first);
  return first;
}

/**
 * True if the tag of a view identifies its bytes. The tag of one entry identifies its stored version, for `If-Match`.
 */
const isTaggedByBytes = (view: string): boolean =>
  ['/list', '/menu/', '/conversations/'].some((part) => view.includes(part));

/** The bytes that each tag of each request has identified so far. */
export class TaggedBytes {
  readonly #texts = new Map<string, string>();

  /** @throws when the tag of an answer has identified other bytes before */
  check(request: string, { status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>): void {
    const etag = headers['etag'];
    if (status !== 200 || etag === undefined || !isTaggedByBytes(request)) return;
    const address = `${request} ${etag}`;
    const before = this.#texts.get(address);
    if (before !== undefined && before !== text) {
      throw new Error(`${address} has meant ${difference(before, text)}`);
    }
    this.#texts.set(address, text);
  }

  /** The bytes of a tag that was seen before. */
  textOf = (request: string, etag: string): string | undefined => this.#texts.get(`${request} ${etag}`);
}

/** The first difference of two texts, with some context. */
function difference(before: string, after: string): string {
  const at = [...before].findIndex((character, index) => character !== after[index]);
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 60);
  return `"...${around(before)}..." and now means "...${around(after)}..."`;
}

/** The views whose bytes differ. Expects lists to differ in their ETags, too. */
export function changedViews(before: Record<string, VisiblePart>, after: typeof before): string[] {
  const changed = views.filter((view) => before[view]?.text !== after[view]?.text);
  for (const view of changed.filter(isTaggedByBytes))
    expect([view, after[view]?.etag]).not.toEqual([view, before[view]?.etag]);
  return changed;
}
