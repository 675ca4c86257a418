import { expandEntries } from '#lib/cms/fitting-entries.ts';
import { planList } from '#lib/cms/query/list-query.ts';
import { readPage } from '#lib/cms/query/read-page.ts';
import { jsonList } from '#lib/domain/text/json-list.ts';
import { rendered } from '#lib/http/answer.ts';
import { contentLanguage } from '#lib/http/locale.ts';
import { readApi } from '#lib/http/read-api.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async (request) => {
    const { query } = request;
    const { entryQuery, entries, total, offset, nextCursor } = await readPage(request);
    const { texts, depth } = await expandEntries(request, entryQuery, entries);
    return {
      json: rendered(jsonList(texts)),
      headers: {
        'x-cms-total': String(total),
        'x-cms-limit': String(query.limit),
        ...(offset !== undefined && { 'x-cms-offset': String(offset) }),
        'x-cms-has-more': nextCursor === undefined ? '0' : '1',
        'x-cms-max-depth': String(depth),
        ...(nextCursor !== undefined && { 'x-cms-next-cursor': nextCursor }),
        ...contentLanguage(entryQuery.locale),
      },
    };
  },
  findIssues: async ({ query, ...request }) => {
    const { requestIssues } = await planList({ ...request, query: { includeHidden: false, ...query } });
    return requestIssues;
  },
});
