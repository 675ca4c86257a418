import { entityTag } from '#lib/cms/entity-tag.ts';
import { readEntryChange } from '#lib/cms/entry-change.ts';
import { expandWhatFits, prepareReading, refuse } from '#lib/cms/entry-reading.ts';
import { maxDepthDefault } from '#lib/cms/parameters.ts';
import { missingTargets } from '#lib/cms/relation-targets.ts';
import { updateEntry } from '#lib/cms/update-entry.ts';
import { visibilityOf } from '#lib/cms/visibility.ts';
import { answeredOnce } from '#lib/http/answered-once.ts';
import { api, type RequestOf } from '#lib/http/api.ts';
import { validationFailed } from '#lib/http/errors.ts';
import { idempotencyKeyFaults } from '#lib/http/idempotency.ts';
import { CmsEntries } from '#lib/table/cms-entries.ts';
import { prefetchCmsSchema } from '#lib/table/cms-schema.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(
  endpoint,
  (request) => {
    const { params, query, body, headers } = request;
    const same = [query, headers['if-match'], body];
    return answeredOnce(request, `${params.modelId}#${params.id}`, same, () => update(request));
  },
  ({ table, scope, params }) => {
    prefetchCmsSchema(table, scope);
    new CmsEntries(table, scope).prefetchEntry(params.modelId, params.id);
  },
  async ({ headers }) => idempotencyKeyFaults(headers['idempotency-key']),
);

async function update(request: RequestOf<typeof endpoint>) {
  const { principal, table, params, query, body, headers } = request;
  const reading = await prepareReading(request);
  const { model, schema, faults } = reading;
  const { change, issues } = readEntryChange(model, body.values, visibilityOf(principal, true), schema.languages);
  const missing = await missingTargets(table, principal, change);
  refuse([...[...issues, ...missing].map(validationFailed), ...faults]);
  const entry = await updateEntry(table, principal, {
    schema,
    model,
    id: params.id,
    change,
    ifMatch: headers['if-match'],
  });
  const expanded = await expandWhatFits(request, reading, [entry], query.maxDepth ?? maxDepthDefault);
  if (!expanded) throw new Error('A single entry is always smaller than an answer may be.');
  return {
    json: expanded.texts.join(),
    headers: { etag: entityTag(entry), 'x-cms-max-depth': String(expanded.depth) },
  };
}
