import { missingTargets, readEntryChange } from '#lib/cms/entry-change.ts';
import { type EntryQuery, entityTag, expandAsDeepAsFits, resolveEntryQuery, throwIfAny } from '#lib/cms/entry-query.ts';
import { maxDepthDefault } from '#lib/cms/parameters.ts';
import { updateEntry } from '#lib/cms/update-entry.ts';
import { isVisible, visibilityOf } from '#lib/cms/visibility.ts';
import { api } from '#lib/http/api.ts';
import { notFound, validationFailed } from '#lib/http/errors.ts';
import type { RequestOf } from '#lib/http/request-of.ts';
import { rendered } from '#lib/http/respond.ts';
import { type KeyScope, readKeyAhead, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import type { TransactItem } from '#lib/table/table.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { params, body } = request;
    const entryQuery = await resolveEntryQuery(request);
    // A wrong query is refused, also in a retry. `update` names the issues of the body with those of the query.
    if (entryQuery.requestIssues.length > 0) return update(request, entryQuery, undefined);
    return runIdempotent(request, keyScopeOf(params), {
      request: () => body,
      execute: ({ claim }) => update(request, entryQuery, claim),
      replay: () => show(request),
    });
  },
  warm: (request) => {
    const { table, principal, params } = request;
    return Promise.all([
      readCmsSchema(table, principal),
      new CmsEntries(table, principal).find(params.modelId, params.id),
      readKeyAhead(request, keyScopeOf(params)),
    ]);
  },
});

type Request = RequestOf<typeof endpoint>;

const keyScopeOf = ({ modelId, id }: Request['params']): KeyScope => ({
  sharedBy: 'caller',
  operation: `${modelId}#${id}`,
});

/** @param claim the write that uses the Idempotency-Key up */
async function update(request: Request, entryQuery: EntryQuery, claim: TransactItem | undefined) {
  const { principal, table, params, body, headers, requestId } = request;
  const { model, schema, requestIssues } = entryQuery;
  const { change, issues } = readEntryChange(model, body.values, visibilityOf(principal, true), schema.languages);
  const missing = await missingTargets(table, principal, entryQuery.visibility, change);
  throwIfAny([...[...issues, ...missing].map(validationFailed), ...requestIssues]);
  const entry = await updateEntry(table, principal, {
    schema,
    model,
    id: params.id,
    change,
    visibility: entryQuery.visibility,
    ifMatch: headers['If-Match'],
    idempotency: claim,
    requestId,
  });
  // The update is stored, so its answer may take a little longer than the request's deadline.
  return answerOf({ ...request, table: table.withGracePeriod() }, entryQuery, entry);
}

/** Reads the current entry for a retry of an update whose answer was not recorded. */
async function show(request: Request) {
  const { principal, table, params, body } = request;
  // The reads so far may be older than the update.
  table.clearCache();
  const entryQuery = await resolveEntryQuery(request);
  const entry = await new CmsEntries(table, principal).find(params.modelId, params.id);
  // The answer to an update that unpublishes an entry shows it, even to callers that cannot read drafts.
  const isShown = entry && (isVisible(entry, entryQuery.visibility) || body.values['published'] === false);
  if (!isShown) throw notFound('CMS entry');
  return answerOf(request, entryQuery, entry);
}

async function answerOf(request: Request, entryQuery: EntryQuery, entry: StoredEntry) {
  const { query, logDetails } = request;
  Object.assign(logDetails, { modelId: entry.modelId, entryId: entry.id });
  const expanded = await expandAsDeepAsFits(request, entryQuery, [entry], query.maxDepth ?? maxDepthDefault);
  if (!expanded) throw new Error('A single entry is always smaller than an answer may be.');
  return {
    json: rendered(expanded.texts.join()),
    headers: { etag: entityTag(entry), 'x-cms-max-depth': String(expanded.depth) },
  };
}
