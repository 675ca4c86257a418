import { entityTag } from '#lib/cms/entity-tag.ts';
import { readEntryChange } from '#lib/cms/entry-change.ts';
import { expandWhatFits, prepareReading, refuse } from '#lib/cms/entry-reading.ts';
import { maxDepthDefault } from '#lib/cms/parameters.ts';
import { missingTargets } from '#lib/cms/relation-targets.ts';
import { updateEntry } from '#lib/cms/update-entry.ts';
import { visibilityOf } from '#lib/cms/visibility.ts';
import { api } from '#lib/http/api.ts';
import { validationFailed } from '#lib/http/errors.ts';
import { CmsEntries } from '#lib/table/cms-entries.ts';
import { prefetchCmsSchema } from '#lib/table/cms-schema.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(
  endpoint,
  async (request) => {
    const { principal, table, params, query, body, headers } = request;
    const reading = await prepareReading(request);
    const { model, schema, faults } = reading;
    const { change, issues } = readEntryChange(model, body.values, visibilityOf(principal, true), schema.languages);
    const missing = await missingTargets(table, principal, change);
    refuse([...[...issues, ...missing].map(validationFailed), ...faults]);
    const entry = await updateEntry(table, principal, { model, id: params.id, change, ifMatch: headers['if-match'] });
    const expanded = await expandWhatFits(request, reading, [entry], query.maxDepth ?? maxDepthDefault);
    if (!expanded) throw new Error('A single entry is always smaller than an answer may be.');
    return {
      json: expanded.texts.join(),
      headers: { etag: entityTag(entry), 'x-cms-max-depth': String(expanded.depth) },
    };
  },
  ({ table, scope, params }) => {
    prefetchCmsSchema(table, scope);
    new CmsEntries(table, scope).prefetchEntry(params.modelId, params.id);
  },
);
