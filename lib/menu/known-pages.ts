import { BoundedCache } from '#lib/table/bounded-cache.ts';

/** Two bytes a character at most. */
const charactersMax = 4 * 1024 * 1024;
const pages = new BoundedCache<string>(charactersMax);

/**
 * A page of a list as JSON text, made once for each tag: the tag names the view, the query and the versions of all that
 * the page is made of.
 */
export async function pageOf(etag: string, make: () => Promise<string>): Promise<string> {
  const known = pages.get(etag);
  if (known !== undefined) return known;
  const page = await make();
  pages.set(etag, page, page.length);
  return page;
}
