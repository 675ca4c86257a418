import { entityTag } from '#lib/cms/entity-tag.ts';
import { expandEntries, prepareReading, refuse } from '#lib/cms/entry-reading.ts';
import { isVisible } from '#lib/cms/visibility.ts';
import { api } from '#lib/http/api.ts';
import { notFound } from '#lib/http/errors.ts';
import { contentLanguage } from '#lib/http/locale.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { principal, table, params } = request;
    const [reading, entry] = await Promise.all([
      prepareReading(request),
      new CmsEntries(table, principal).find(params.modelId, params.id),
    ]);
    refuse(reading.faults);
    if (!entry || !isVisible(entry, reading.visibility)) throw notFound('CMS entry');
    const { texts, depth } = await expandEntries(request, reading, [entry]);
    const headers = { etag: entityTag(entry), 'x-cms-max-depth': String(depth), ...contentLanguage(reading.locale) };
    return { json: texts.join(), headers };
  },
});
