import { expandEntries, resolveEntryQuery } from '#lib/cms/entry-query.ts';
import { planList, sortLanguage } from '#lib/cms/query/list-query.ts';
import { readPage } from '#lib/cms/query/read-page.ts';
import { visibilityOf } from '#lib/cms/visibility.ts';
import { jsonList } from '#lib/domain/text/json-list.ts';
import { contentLanguage } from '#lib/http/locale.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import { readApi } from '#lib/http/read-api.ts';
import { rendered } from '#lib/http/respond.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async (request) => {
    const { principal, query } = request;
    const { drafts } = visibilityOf(principal, query.includeHidden);
    if (query.published === false && !drafts) throw lacksPermission('cms:entry:read-unpublished', principal.kind);
    const entryQuery = resolveEntryQuery(request);
    const { entries, total, offset, nextCursor } = await readPage(request, entryQuery, drafts ? query.published : true);
    const read = await entryQuery;
    const { texts, depth } = await expandEntries(request, read, entries);
    return {
      json: rendered(jsonList(texts)),
      headers: {
        'x-cms-total': String(total),
        'x-cms-limit': String(query.limit),
        ...(offset !== undefined && { 'x-cms-offset': String(offset) }),
        'x-cms-has-more': nextCursor === undefined ? '0' : '1',
        'x-cms-max-depth': String(depth),
        ...(nextCursor !== undefined && { 'x-cms-next-cursor': nextCursor }),
        ...contentLanguage(read.locale),
      },
    };
  },
  findIssues: async ({ query, ...request }) => {
    const { principal, table } = request;
    const [entryQuery, language] = await Promise.all([
      resolveEntryQuery({ ...request, query: { includeHidden: false, ...query } }),
      sortLanguage(table, principal, query),
    ]);
    const { requestIssues } = await planList(principal, entryQuery, query, language);
    return [...entryQuery.requestIssues, ...requestIssues];
  },
});
