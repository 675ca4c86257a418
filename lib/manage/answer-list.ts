import { isTooLarge } from '#lib/domain/answer-size.ts';
import { isManagedKind } from '#lib/domain/manage/managed-kinds.ts';
import { foldedWords } from '#lib/domain/text/folded-text.ts';
import { cursorOf, foreignCursor, positionOf } from '#lib/http/cursor.ts';
import { notFound, type RequestIssue } from '#lib/http/errors.ts';
import { tooLarge } from '#lib/menu/list-page.ts';
import { listedKinds } from './listed-kinds.ts';
import { entryListIssues } from './lists/entry-page.ts';
import type { ListRequest } from './lists/list-query.ts';

interface ListCall extends ListRequest {
  readonly params: { readonly kind: string };
  readonly query: {
    readonly limit: number;
    readonly cursor?: string | undefined;
    readonly q?: string | undefined;
  };
}

/** Answers a page of a list, `{ data, next }`. @throws 400 for a cursor of another list */
export async function answerList({ params: { kind }, query, ...request }: ListCall) {
  const readPage = isManagedKind(kind) ? listedKinds[kind] : undefined;
  if (!readPage) throw notFound('Address');
  const { limit, cursor, q, ...own } = query;
  const words = [...new Set(foldedWords(q ?? ''))];
  const list = ['manage', request.principal.workspaceId, kind, words, own];
  const after = cursor === undefined ? undefined : positionOf(list, cursor);
  if (cursor !== undefined && after === undefined) throw foreignCursor();
  const { records, next } = await readPage(request, { limit, after, words, kindParameters: own });
  const json = JSON.stringify({ data: records, next: next === undefined ? null : cursorOf(list, next) });
  if (isTooLarge(json)) throw tooLarge('limit');
  return { json };
}

/** The issues of an invalid query that need stored data, so that the 400 lists all. */
export const listIssues = ({
  params: { kind },
  query,
  ...request
}: ListRequest & {
  readonly params: { readonly kind: string };
  readonly query: object;
}): Promise<readonly RequestIssue[]> =>
  kind === 'cms-entries' ? entryListIssues(request, { ...query }) : Promise.resolve([]);
