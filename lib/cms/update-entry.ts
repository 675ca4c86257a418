import { randomUUID } from 'node:crypto';
import { changedPaths } from '#lib/domain/access/audit-event.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { columnsOf } from '#lib/domain/cms/columns.ts';
import { ownValue } from '#lib/domain/json-object.ts';
import { started } from '#lib/domain/started.ts';
import { hasShapeOf } from '#lib/domain/stored-shape.ts';
import { recordBytesMax, storedBytes } from '#lib/domain/stored-size.ts';
import { requireMatch } from '#lib/http/conditional.ts';
import { badRequest, notFound, validationFailed } from '#lib/http/errors.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import type { CmsSchema } from '#lib/table/cms/cms-schema.ts';
import { entryListScope } from '#lib/table/cms/entry-list.ts';
import { type EntryWrite, isContended, wasApplied } from '#lib/table/cms/entry-write.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { type AffectedCollection, AnnouncedChange } from '#lib/table/collection/announced-change.ts';
import { newChangeId } from '#lib/table/collection/head.ts';
import { ConditionFailed, Contended, Unavailable } from '#lib/table/errors.ts';
import { relationScope } from '#lib/table/menu/product-relations.ts';
import type { Table, TransactItem, Writes } from '#lib/table/table.ts';
import { repeatWrite, tryTransaction } from '#lib/table/writer/repeat-write.ts';
import { laterThan } from '#lib/table/writer/time-stamps.ts';
import { entityTag } from './entity-tag.ts';
import { changedValues, dependsOnStored, type EntryChange, lostRequiredValues } from './entry-change.ts';
import { isVisible, type Visibility } from './visibility.ts';

/**
 * Above this size, the transaction requires the version for which the size of the result was checked. A small update of
 * an entry with enough room does not.
 */
const versionCheckBytesMin = 100_000;
/** An entry has enough room if a hundred concurrent updates of this size fit. */
const smallUpdateBytesMax = 1_024;

export interface EntryUpdate {
  readonly schema: CmsSchema;
  readonly model: Model;
  readonly id: string;
  readonly change: EntryChange;
  readonly visibility: Pick<Visibility, 'drafts'>;
  readonly ifMatch: string | undefined;
  /** The first write of the transaction. Its condition fails if the idempotency key is used. */
  readonly idempotency: TransactItem | undefined;
  /** The id of the request, for the audit event. */
  readonly requestId: string;
}

/** The author of the update, and the workspace. */
type Author = Pick<Principal, 'workspaceId' | 'actor'>;

/**
 * Stores a checked change. Each field and language has its own document path, so that concurrent updates of others
 * survive. The stored version is a condition only if the result depends on it.
 * @returns the updated entry
 * @throws 404, 412, 400 for rules that depend on the stored entry; ConditionFailed with the stored record of
 * `idempotency`; Unavailable. A refused update changes nothing
 */
export async function updateEntry(table: Table, scope: Author, update: EntryUpdate): Promise<StoredEntry> {
  const { schema, model, change } = update;
  const announced = announcedChange(table, scope, schema, model, change);
  const announcing = started(announced.announce());
  const entries = new CmsEntries(table, scope);
  try {
    return await repeatWrite(table, {
      prepare: (tries) => prepare(scope, entries, update, tries === 1),
      write: async (prepared) => {
        if (!('write' in prepared)) return untouched(table, prepared.entry, update);
        await announcing;
        return tryWrite(table, entries, prepared, update, announced);
      },
    });
  } catch (error) {
    // An earlier attempt may have stored the update.
    if (!(error instanceof Unavailable)) await announced.withdraw();
    throw error;
  }
}

/**
 * Announces an update in the affected collections. The list has `published` in its rows, and some fields in its
 * columns. Every update changes the time stamp in the entry's row.
 */
function announcedChange(
  table: Table,
  author: Author,
  { related, loggedForProducts }: CmsSchema,
  model: Model,
  { published, fields }: EntryChange,
): AnnouncedChange {
  if (published === undefined && fields.length === 0) return new AnnouncedChange(table, []);
  const changed = new Set(fields.map(({ field }) => field.key));
  const changesColumns = columnsOf(model).some(({ key }) => changed.has(key));
  const effect = published !== undefined ? 'rows' : changesColumns ? 'cells' : 'content';
  const scope = entryListScope(author, model.id);
  const relations: AffectedCollection = { scope: relationScope(author), effect: 'rows' };
  const affected = [
    ...(related.has(model.id) || effect !== 'content' ? [{ scope, effect } as const] : []),
    ...(loggedForProducts.has(model.id) ? [relations] : []),
  ];
  return new AnnouncedChange(table, affected, effect === 'content' ? scope : undefined);
}

/** The entry that was read, with its update; without one if the request changes nothing. */
type Prepared = { readonly entry: StoredEntry } | PreparedWrite;
interface PreparedWrite {
  readonly entry: StoredEntry;
  readonly write: EntryWrite;
}

/** Reads the entry and checks the update against it. @throws 404, 412, 400 */
async function prepare(scope: Author, entries: CmsEntries, update: EntryUpdate, isFirst: boolean): Promise<Prepared> {
  const entry = await entries.find(update.model.id, update.id);
  if (!entry || !isVisible(entry, update.visibility)) throw notFound('CMS entry');
  requireMatch(update.ifMatch, entityTag(entry));
  const { published, fields } = update.change;
  if (published === undefined && fields.length === 0) return { entry };
  // Only the first try requires the version that was read. Then frequent updates by others do not block this one. If
  // there are many already, the first try would fail, too.
  const expected = isFirst && !isContended(entry) ? entry.revision : undefined;
  return { entry, write: writeOf(entry, update, expected, auditOf(scope, entry, update)) };
}

async function untouched(table: Table, entry: StoredEntry, { idempotency }: EntryUpdate) {
  return (idempotency && (await tryTransaction(table, { idempotency }))) ?? entry;
}

function auditOf(scope: Author, entry: StoredEntry, { change, requestId }: EntryUpdate): Writes {
  const after = { published: change.published ?? entry.published, values: changedValues(entry, change) };
  const changed = changedPaths({ published: entry.published, values: entry.values }, after);
  return auditWrite(scope, {
    actor: scope.actor,
    action: 'update',
    recordKind: 'cms-entries',
    recordId: `${entry.modelId}/${entry.id}`,
    // An update to the same values still changes `updatedAt`.
    changed: changed.length > 0 ? changed : ['updatedAt'],
    requestId,
  });
}

/** @throws 400 for rules that depend on the stored entry */
function writeOf(
  entry: StoredEntry,
  { change, visibility, ifMatch, idempotency }: EntryUpdate,
  expected: string | undefined,
  additionalWrites: Writes,
): EntryWrite {
  const values = changedValues(entry, change);
  const bytes = storedBytes({ ...entry, values });
  const requestIssues = [...lostRequiredValues(entry, change), ...(bytes > recordBytesMax ? [tooLarge] : [])];
  if (requestIssues.length > 0) throw badRequest(requestIssues.map(validationFailed));
  const onlyIfUnchanged = ifMatch !== undefined || dependsOnStored(change) || mayOutgrow(bytes, change);
  return {
    published: change.published,
    fields: change.fields.map(({ field, value }) => ({
      key: field.key,
      localized: field.localized,
      value,
      hasParent: field.localized && hasShapeOf(field, ownValue(entry.values, field.key)),
    })),
    values,
    updatedAt: laterThan(entry.updatedAt),
    revision: randomUUID(),
    id: newChangeId(),
    writesBefore: entry.writes,
    onlyIfPublished: !visibility.drafts,
    onlyIfUnchanged,
    expected: onlyIfUnchanged ? entry.revision : expected,
    idempotency,
    additionalWrites,
  };
}

/** @returns the updated entry; a conflict with another transaction; or `changed` if the entry must be read again */
async function tryWrite(
  table: Table,
  entries: CmsEntries,
  { entry, write }: PreparedWrite,
  { change, ifMatch }: EntryUpdate,
  announced: AnnouncedChange,
): Promise<StoredEntry | Contended | 'changed'> {
  try {
    return await entries.update(entry, write, announced);
  } catch (error) {
    if (error instanceof Contended) return error;
    const mayBeStored = table.isPastDeadline && error instanceof Unavailable && !error.isUndone;
    const stored = mayBeStored ? await entries.findApplied(entry, write) : undefined;
    if (stored) return stored;
    if (!(error instanceof ConditionFailed) || error.write === 'idempotency') throw error;
    // The AWS client retries an update whose reply was lost. The retry then finds the update.
    const current = error.item as StoredEntry | undefined;
    entries.renew(entry, current);
    if (current && wasApplied(write, current)) return current;
    const mayBeRefused = ifMatch !== undefined || dependsOnStored(change);
    if (error.repeated && mayBeRefused) throw new Unavailable('The update may have been applied.');
    return 'changed';
  }
}

/** Whether concurrent small updates could together make the entry too large. */
function mayOutgrow(bytes: number, { fields }: EntryChange): boolean {
  const written = storedBytes(Object.fromEntries(fields.map(({ field, value }) => [field.key, value])));
  return (
    bytes > versionCheckBytesMin &&
    (written > smallUpdateBytesMax || bytes + 100 * smallUpdateBytesMax > recordBytesMax)
  );
}

const tooLarge = {
  path: 'values',
  code: 'too_large',
  message: 'values: The entry would be larger than 350 KB.',
} as const;
