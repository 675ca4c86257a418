import { expandEntries, prepareReading, refuse } from '#lib/cms/entry-reading.ts';
import { api } from '#lib/http/api.ts';
import { CmsEntries } from '#lib/table/cms-entries.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { principal, table, params, query } = request;
    const { limit, offset } = query;
    const [reading, page] = await Promise.all([
      prepareReading(request),
      new CmsEntries(table, principal).page(params.modelId, offset, limit),
    ]);
    refuse(reading.faults);
    const { texts, depth } = await expandEntries(request, reading, page.entries);
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
});
