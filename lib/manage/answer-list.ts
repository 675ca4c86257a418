import { isTooLarge } from '#lib/domain/answer-size.ts';
import { foldedWords } from '#lib/domain/text/folded-text.ts';
import { notFound, type RequestIssue } from '#lib/http/errors.ts';
import { rendered } from '#lib/http/respond.ts';
import { type ContentKind, contentKindAt } from '#lib/kinds/kinds.ts';
import { tooLarge } from '#lib/menu/list-page.ts';
import type { RecordKind } from '#lib/table/record-kinds.ts';
import { customerPage } from './lists/customer-page.ts';
import { attachmentPage, notificationPage, responsePage } from './lists/dated-pages.ts';
import { entryListIssues, entryPage } from './lists/entry-page.ts';
import type { ListRequest, ReadPage } from './lists/list-query.ts';
import { categoryPage, productPage } from './lists/menu-page.ts';
import { modelPage, pageByName } from './lists/page-by-name.ts';

/** The sources of lists with an index or an order of their own. All others read the records of their kind. */
const sources: Readonly<Partial<Record<ContentKind, ReadPage>>> = {
  cmsModel: modelPage,
  cmsEntry: entryPage,
  menuCategory: categoryPage,
  menuProduct: productPage,
  formResponse: responsePage,
  notification: notificationPage,
  attachment: attachmentPage,
  customer: customerPage,
};

interface ListCall extends ListRequest {
  readonly params: { readonly kind: string };
  readonly query: {
    readonly limit: number;
    readonly cursor?: string | undefined;
    readonly q?: string | undefined;
  };
}

/** Answers a page of a list, `{ data, next }`. @throws 400 for a cursor of another list */
export async function answerList({ params: { kind: path }, query, ...request }: ListCall) {
  const kind = contentKindAt(path);
  if (!kind || kind === 'workspace') throw notFound('Address');
  const readPage = sources[kind] ?? pageByName(kind as RecordKind);
  const { limit, cursor, q, ...own } = query;
  const words = [...new Set(foldedWords(q ?? ''))];
  const list = ['manage', request.principal.workspaceId, path, words, own];
  const { records, next } = await readPage(request, { list, limit, cursor, words, kindParameters: own });
  const json = JSON.stringify({ data: records, next });
  if (isTooLarge(json)) throw tooLarge('limit');
  return { json: rendered(json) };
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
