import { entityTag } from '#lib/cms/entity-tag.ts';
import { expandEntries, prepareReading, refuse } from '#lib/cms/entry-reading.ts';
import { api } from '#lib/http/api.ts';
import { notFound } from '#lib/http/errors.ts';
import { CmsEntries } from '#lib/table/cms-entries.ts';
import { prefetchCmsSchema } from '#lib/table/cms-schema.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(
  endpoint,
  async (request) => {
    const { principal, table, params } = request;
    const reading = await prepareReading(request);
    refuse(reading.faults);
    const entry = await new CmsEntries(table, principal).find(params.modelId, params.id);
    if (!entry) throw notFound('CMS entry');
    const { texts, depth } = await expandEntries(request, reading, [entry]);
    return { json: texts.join(), headers: { etag: entityTag(entry), 'x-cms-max-depth': String(depth) } };
  },
  ({ table, scope, params }) => {
    prefetchCmsSchema(table, scope);
    new CmsEntries(table, scope).prefetchEntry(params.modelId, params.id);
  },
);
