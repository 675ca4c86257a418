import { isTooLarge } from '#lib/domain/answer-size.ts';
import type { MenuRow } from '#lib/domain/menu/menu-row.ts';
import { jsonList } from '#lib/domain/text/json-list.ts';
import type { Locale } from '#lib/domain/text/locale.ts';
import { rendered } from '#lib/http/answer.ts';
import { listsTag } from '#lib/http/conditional.ts';
import { HttpError } from '#lib/http/errors.ts';
import { contentLanguage } from '#lib/http/locale.ts';
import type { ValuesOf } from '#lib/http/query.ts';
import { containerMemory, textBytes } from '#lib/table/memory/container-memory.ts';
import type { MenuIndex } from '#lib/table/menu/menu-index.ts';
import type { Pagination } from './menu-views.ts';
import type { pageParameters, withOrder } from './parameters.ts';
import { listRows, type RowQuery } from './sorted-rows.ts';

type PageQuery = ReturnType<typeof withOrder<ValuesOf<typeof pageParameters>>>;

/** The rows of one page of a menu list, with the page's position (lib/spec/interface.md sections 4.3 and 4.4). */
export function listPage<Row extends MenuRow>(
  rows: readonly Row[],
  index: MenuIndex,
  { sortBy, sortOrder, page, limit }: PageQuery,
  filter: Pick<RowQuery<Row>, 'filter' | 'filterText'>,
): { readonly rows: readonly Row[]; readonly pagination: Pagination } {
  const list = listRows(rows, { sortBy, sortOrder, index, ...filter });
  const from = (page - 1) * limit;
  return { rows: list.slice(from, from + limit), pagination: paginationOf(page, limit, list.total) };
}

/** A page past the end is empty (lib/spec/decisions.md section 4). */
const paginationOf = (page: number, limit: number, total: number): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  hasMore: page * limit < total,
});

/** The texts of whole answers by their tags: an equal tag means an equal text. */
const answers = containerMemory.view<string>();

/**
 * The answer of a menu list. A container makes the text of a tag once.
 * @param tagged the tag, and If-None-Match of the request; no tag while an import runs: it is then a hash of the answer
 * @param make the answer as JSON text; `isExact` is false if it does not match the tag
 */
export async function listAnswer(
  { etag, ifNoneMatch, locale }: TaggedList,
  make: () => Promise<{ readonly text: string; readonly isExact: boolean }>,
) {
  if (etag && listsTag(ifNoneMatch, etag)) return { unchanged: etag };
  const kept = etag && answers.get(etag);
  const { text, isExact } = kept ? { text: kept, isExact: true } : await make();
  const isTagged = etag !== undefined && isExact;
  if (isTagged && !kept) answers.set(etag, text, textBytes(text));
  return { json: rendered(text), headers: contentLanguage(locale), ...(isTagged && { etag }) };
}

interface TaggedList {
  readonly etag: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly locale: Locale | undefined;
}

/**
 * The answer of a menu list as JSON text.
 * @param lower the advice to make the answer smaller
 * @throws 400 if it is larger than an answer may be
 */
export function pageText(data: readonly string[], pagination: Pagination, lower: string): string {
  const text = jsonList(data, '{"data":', `,"pagination":${JSON.stringify(pagination)}}`);
  if (isTooLarge(text)) throw tooLarge(lower);
  return text;
}

/** @param lower the advice to make the answer smaller */
export function tooLarge(lower: string): HttpError {
  const message = `This answer would be larger than 5 MB; lower ${lower}.`;
  const errors = [{ path: 'limit', code: 'too_large' as const, message }];
  return new HttpError(400, 'response_too_large', message, { errors });
}
