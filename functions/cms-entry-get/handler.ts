import { entityTag, resolveEntryQuery, throwIfAny } from '#lib/cms/entry-query.ts';
import { expandEntries } from '#lib/cms/fitting-entries.ts';
import { isVisible } from '#lib/cms/visibility.ts';
import { rendered } from '#lib/http/answer.ts';
import { notFound } from '#lib/http/errors.ts';
import { contentLanguage } from '#lib/http/locale.ts';
import { readApi } from '#lib/http/read-api.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async (request) => {
    const { principal, table, params } = request;
    const [entryQuery, entry] = await Promise.all([
      resolveEntryQuery(request),
      new CmsEntries(table, principal).find(params.modelId, params.id),
    ]);
    throwIfAny(entryQuery.requestIssues);
    if (!entry || !isVisible(entry, entryQuery.visibility)) throw notFound('CMS entry');
    const { texts, depth } = await expandEntries(request, entryQuery, [entry]);
    const headers = { etag: entityTag(entry), 'x-cms-max-depth': String(depth), ...contentLanguage(entryQuery.locale) };
    return { json: rendered(texts.join()), headers };
  },
});
