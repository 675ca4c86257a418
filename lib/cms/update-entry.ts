import { changedPaths } from '#lib/domain/access/audit-event.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { recordBytesMax, storedBytes } from '#lib/domain/stored-size.ts';
import { badRequest, notFound, validationFailed } from '#lib/http/errors.ts';
import { requireMatch } from '#lib/http/preconditions.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import type { CmsSchema } from '#lib/table/cms/cms-schema.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import type { Table, TransactItem } from '#lib/table/table.ts';
import { changeBy } from '#lib/table/writer/change-steps.ts';
import { entryRules } from '#lib/table/writer/entry-rules.ts';
import { repeatTransaction } from '#lib/table/writer/repeat-write.ts';
import { laterThan } from '#lib/table/writer/time-stamps.ts';
import { changedValues, type EntryChange, lostRequiredValues } from './entry-change.ts';
import { entityTag } from './entry-query.ts';
import { isVisible, type Visibility } from './visibility.ts';

export interface EntryUpdate {
  readonly schema: CmsSchema;
  readonly model: Model;
  readonly id: string;
  readonly change: EntryChange;
  readonly visibility: Pick<Visibility, 'drafts'>;
  readonly ifMatch: string | undefined;
  /** A write whose condition fails if the idempotency key is used. */
  readonly idempotency: TransactItem | undefined;
  /** The id of the request, for the audit event. */
  readonly requestId: string;
}

/** The author of the update, and the workspace. */
type Author = Pick<Principal, 'workspaceId' | 'actor'>;

/**
 * Stores a checked change. It is made again from the current entry whenever another update was faster, so that updates
 * of other fields and languages survive.
 * @returns the updated entry
 * @throws 404, 412, 400 for rules that depend on the stored entry; ConditionFailed with the stored record of
 * `idempotency`; Unavailable. A refused update changes nothing
 */
export async function updateEntry(table: Table, author: Author, update: EntryUpdate): Promise<StoredEntry> {
  const { schema, model, id, idempotency } = update;
  const { status, after } = await changeBy(
    entryRules,
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
      additionalWrites: ({ before }) => ({ idempotency, ...audited(author, before as StoredEntry, update) }),
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
  const isTooLarge = storedBytes({ ...entry, values }) > recordBytesMax;
  const issues = [...lostRequiredValues(entry, change), ...(isTooLarge ? [tooLarge] : [])];
  if (issues.length > 0) throw badRequest(issues.map(validationFailed));
  const { published = entry.published } = change;
  return { ...entry, published, values, updatedAt: laterThan(entry.updatedAt) };
}

function audited(author: Author, entry: StoredEntry, { change, requestId }: EntryUpdate) {
  const after = { published: change.published ?? entry.published, values: changedValues(entry, change) };
  const changed = changedPaths({ published: entry.published, values: entry.values }, after);
  return auditWrite(author, {
    actor: author.actor,
    action: 'update',
    recordKind: 'cms-entries',
    recordId: `${entry.modelId}/${entry.id}`,
    // An update to the same values still changes `updatedAt`.
    changed: changed.length > 0 ? changed : ['updatedAt'],
    requestId,
  });
}

const tooLarge = {
  path: 'values',
  code: 'too_large',
  message: 'values: The entry would be larger than 350 KB.',
} as const;
