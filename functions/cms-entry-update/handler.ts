import {
  changedValues,
  type EntryChange,
  lostRequiredValues,
  missingTargets,
  readEntryChange,
} from '#lib/cms/entry-change.ts';
import { type EntryQuery, entityTag, expandAsDeepAsFits, resolveEntryQuery, throwIfAny } from '#lib/cms/entry-query.ts';
import { maxDepthDefault } from '#lib/cms/parameters.ts';
import { isVisible, type Visibility, visibilityOf } from '#lib/cms/visibility.ts';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { exportedEntry } from '#lib/domain/cms/exported-entry.ts';
import { hiddenFields } from '#lib/domain/cms/hidden-fields.ts';
import { happened } from '#lib/domain/events/happened.ts';
import { started } from '#lib/domain/started.ts';
import { recordBytesMax, storedBytes } from '#lib/domain/stored-size.ts';
import { rendered } from '#lib/http/answer.ts';
import { api } from '#lib/http/api.ts';
import { badRequest, notFound, validationFailed } from '#lib/http/errors.ts';
import type { RequestOf } from '#lib/http/pipeline.ts';
import { requireMatch } from '#lib/http/preconditions.ts';
import { type KeyScope, readKeyAhead, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { storedStates } from '#lib/table/history/large-states.ts';
import { keepLog } from '#lib/table/log/read-log.ts';
import type { Table, TransactItem, Writes } from '#lib/table/table.ts';
import { applyChange } from '#lib/table/writer/apply-change.ts';
import type { AppliedChange, Revisions } from '#lib/table/writer/change.ts';
import { entryItemRules } from '#lib/table/writer/entry-rules.ts';
import { repeatTransaction } from '#lib/table/writer/repeat-write.ts';
import { laterThan } from '#lib/table/writer/time-stamps.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { table, principal, params, body } = request;
    // All first reads share a round trip.
    started(new CmsEntries(table, principal).find(params.modelId, params.id));
    started(readKeyAhead(request, keyScopeOf(params)));
    const entryQuery = await resolveEntryQuery(request);
    // A wrong query is refused, also in a retry. `update` names the issues of the body with those of the query.
    if (entryQuery.requestIssues.length > 0) return update(request, entryQuery, undefined);
    return runIdempotent(request, keyScopeOf(params), {
      request: () => body,
      execute: ({ claim }) => update(request, entryQuery, claim),
      replay: () => show(request),
    });
  },
  beginsEarly: true,
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
    ...entryQuery,
    id: params.id,
    change,
    ifMatch: headers['If-Match'],
    idempotency: claim,
    requestId,
  });
  // The update is stored, so its answer may take a little longer than the request's deadline.
  const reads = table.withGracePeriod();
  reads.prime(entry, entry);
  const log = await entryQuery.log?.catch(() => undefined);
  if (log) keepLog(reads, principal, log);
  return answerOf({ ...request, table: reads }, entryQuery, entry);
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

interface EntryUpdate extends Pick<EntryQuery, 'schema' | 'model'> {
  readonly id: string;
  readonly change: EntryChange;
  readonly visibility: Pick<Visibility, 'drafts'>;
  readonly ifMatch: string | undefined;
  /** A write whose condition fails if the idempotency key is used. */
  readonly idempotency: TransactItem | undefined;
  readonly requestId: string;
}

type Author = Pick<Principal, 'workspaceId' | 'actor'>;

/**
 * Stores a checked change. It is made again from the current entry whenever another update was faster, so that updates
 * of other fields and languages survive. A refused update changes nothing.
 * @throws 404, 412, 400 by the stored entry; ConditionFailed with the stored record of `idempotency`; Unavailable
 */
export async function updateEntry(table: Table, author: Author, update: EntryUpdate): Promise<StoredEntry> {
  const { schema, model, id, idempotency } = update;
  const { status, after } = await applyChange(
    entryItemRules,
    table,
    author,
    {
      kind: 'cmsEntry',
      modelId: model.id,
      id,
      decide: async ({ record }) => nextEntry(record as StoredEntry | undefined, update),
    },
    {
      now: new Date().toISOString(),
      schema,
      mayMeetImport: true,
      additionalWrites: async (applied, revisions) => ({
        idempotency,
        ...(await audited(table, author, applied, revisions, update)),
      }),
    },
  );
  // An update without values makes no transaction, but still uses its key up.
  if (status === 'unchanged' && idempotency) await repeatTransaction(table, { idempotency });
  return after as StoredEntry;
}

/** @throws 404, 412, 400 */
function nextEntry(entry: StoredEntry | undefined, { change, visibility, ifMatch }: EntryUpdate): StoredEntry {
  if (!entry || !isVisible(entry, visibility)) throw notFound('CMS entry');
  requireMatch(ifMatch, entityTag(entry));
  if (change.published === undefined && change.fields.length === 0) return entry;
  const values = changedValues(entry, change);
  const issues = lostRequiredValues(change, values);
  const tooLarge = 'values: The entry would be larger than 350 KB.';
  const isTooLarge = storedBytes({ ...entry, values }) > recordBytesMax;
  if (isTooLarge) issues.push({ path: 'values', code: 'too_large', message: tooLarge });
  if (issues.length > 0) throw badRequest(issues.map(validationFailed));
  const { published = entry.published } = change;
  return { ...entry, published, values, updatedAt: laterThan(entry.updatedAt) };
}

async function audited(
  table: Table,
  author: Author,
  applied: AppliedChange,
  revisions: Revisions,
  update: EntryUpdate,
): Promise<Writes> {
  const [entry, updated] = [applied.before, applied.after] as [StoredEntry, StoredEntry];
  const { change, model, schema, requestId } = update;
  const after = { published: updated.published, values: changedValues(entry, change) };
  const changed = changedPaths({ published: entry.published, values: entry.values }, after);
  const hidden = hiddenFields(model);
  return auditWrite(author, {
    happened: happened('cms-entries', entry, after, changed, hidden),
    actor: author.actor,
    action: 'update',
    recordKind: 'cms-entries',
    recordId: `${entry.modelId}/${entry.id}`,
    // An update to the same values still changes `updatedAt`.
    changed: changed.length > 0 ? changed : ['updatedAt'],
    requestId,
    revisions,
    states: await storedStates(table, author, {
      before: exportedEntry(entry, model, schema.languages),
      after: exportedEntry(updated, model, schema.languages),
      hidden,
      revisions,
    }),
  });
}
