import { expandEntries, prepareReading, refuse } from '#lib/cms/entry-reading.ts';
import { prefetchRelated, rememberRelated } from '#lib/cms/related-guess.ts';
import { api } from '#lib/http/api.ts';
import { CmsEntries } from '#lib/table/cms-entries.ts';
import { prefetchCmsSchema } from '#lib/table/cms-schema.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(
  endpoint,
  async (request) => {
    const { principal, table, params, query } = request;
    const entries = new CmsEntries(table, principal);
    const reading = await prepareReading(request);
    refuse(reading.faults);
    const { limit, offset } = query;
    const page = await entries.page(params.modelId, offset, limit);
    const { texts, depth, related } = await expandEntries(request, reading, page.entries);
    rememberRelated({ scope: principal, modelId: params.modelId, query }, page.entries, related);
    return {
      json: `[${texts.join()}]`,
      headers: {
        'x-cms-total': String(page.total),
        'x-cms-limit': String(limit),
        'x-cms-offset': String(offset),
        'x-cms-has-more': offset + page.entries.length < page.total ? '1' : '0',
        'x-cms-max-depth': String(depth),
      },
    };
  },
  ({ table, scope, params, query }) => {
    prefetchCmsSchema(table, scope);
    new CmsEntries(table, scope).prefetchPage(params.modelId, query.offset, query.limit);
    prefetchRelated(table, { scope, modelId: params.modelId, query });
  },
);
