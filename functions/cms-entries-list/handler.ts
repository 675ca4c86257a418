import { expandEntries, prepareReading } from '#lib/cms/entry-reading.ts';
import { planList, sortLanguage } from '#lib/cms/query/list-query.ts';
import { readPage } from '#lib/cms/query/read-page.ts';
import { visibilityOf } from '#lib/cms/visibility.ts';
import { api } from '#lib/http/api.ts';
import { contentLanguage } from '#lib/http/locale.ts';
import { lacksPermission } from '#lib/http/middleware/require-permissions.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { principal, query } = request;
    const { drafts } = visibilityOf(principal, query.includeHidden);
    if (query.published === false && !drafts) throw lacksPermission('cms:entry:read-unpublished', principal.kind);
    const reading = prepareReading(request);
    const { entries, total, offset, nextCursor } = await readPage(request, reading, drafts ? query.published : true);
    const read = await reading;
    const { texts, depth } = await expandEntries(request, read, entries);
    return {
      json: `[${texts.join()}]`,
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
  judge: async ({ query, ...request }) => {
    const { principal, table } = request;
    const [reading, language] = await Promise.all([
      prepareReading({ ...request, query: { includeHidden: false, ...query } }),
      sortLanguage(table, principal, query),
    ]);
    return [...reading.faults, ...planList(principal, reading, query, language).faults];
  },
});
