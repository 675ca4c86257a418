import * as z from 'zod/mini';
import { shownKey } from '#lib/access/access-rules.ts';
import { isTooLarge } from '#lib/domain/answer-size.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { foldedWords } from '#lib/domain/text/folded-text.ts';
import { type StoredWebhook, shownWebhook } from '#lib/domain/webhooks/webhook.ts';
import { rendered } from '#lib/http/answer.ts';
import { notFound, type RequestIssue } from '#lib/http/errors.ts';
import { pageOf } from '#lib/http/page.ts';
import type { ListValues } from '#lib/kinds/kind-endpoints.ts';
import { type ManagedKind, managed, managedKindAt } from '#lib/kinds/kinds.ts';
import { tooLarge } from '#lib/menu/list-page.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import { customersByName, type ListedCustomer } from '#lib/table/messaging/customers.ts';
import { isListingKey } from '#lib/table/record-names.ts';
import { entryListIssues, entryPage } from './lists/entry-page.ts';
import { type ListRequest, type PlainKind, pageByName, type ReadPage } from './lists/list-query.ts';
import { categoryPage, productPage } from './lists/menu-page.ts';
import { newestPage } from './lists/newest-page.ts';
import { responsesWithFiles } from './response-files.ts';

export const responsePage = newestPage<FormResponse>('formResponse', responsesWithFiles);

const searchCustomers = pageByName('customer');

/** Customers by name. A page is a range of pointers and its records; only a search reads all customers. */
const customerPage: ReadPage = async (request, query) => {
  if (query.words.length > 0) return searchCustomers(request, query);
  const { rows, next } = await pageOf(query, {
    order: {
      position: z.string().check(z.refine(isListingKey)),
      of: ({ sortKey }: ListedCustomer) => sortKey,
    },
    after: (sortKey, count) => customersByName(request.table, request.principal, sortKey, count),
  });
  return { records: rows.map(({ record }) => record), next };
};

const namedKeys = pageByName('apiKey');

/** Keys by name, each with its last use. */
const keyPage: ReadPage = async (request, query) => {
  const { records, next } = await namedKeys(request, query);
  return { records: await Promise.all(records.map((record) => shownKey(request, record as ApiKeyRecord))), next };
};

/** The sources of lists with an index or a view of their own. All others read the records of their kind. */
const sources: Readonly<Partial<Record<ManagedKind, ReadPage>>> = {
  apiKey: keyPage,
  cmsEntry: entryPage,
  menuCategory: categoryPage,
  menuProduct: productPage,
  formResponse: responsePage,
  customer: customerPage,
  webhook: newestPage<StoredWebhook>('webhook', async (_, records) => records.map(shownWebhook)),
};

interface ListCall extends ListRequest {
  readonly params: { readonly kind: string };
  readonly query: ListValues;
}

/** Answers a page of a list, `{ data, next }`. @throws 400 for a cursor of another list */
export async function answerList({ params: { kind: path }, query, ...request }: ListCall) {
  const kind = managedKindAt(path);
  if (!kind || kind === 'workspace') throw notFound('Address');
  const byDeclaration = managed(kind).order === 'newest' ? newestPage : pageByName;
  const readPage = sources[kind] ?? byDeclaration(kind as PlainKind);
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
