import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Model } from '#lib/domain/cms-model.ts';
import { ownValue } from '#lib/domain/cms-values.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { relatingFields } from '#lib/domain/product-relation.ts';
import { hasShapeOf } from '#lib/domain/stored-shape.ts';
import { recordBytesMax, storedBytes } from '#lib/domain/stored-size.ts';
import { badRequest, notFound, preconditionFailed, validationFailed } from '#lib/http/errors.ts';
import { CmsEntries } from '#lib/table/cms-entries.ts';
import type { CmsSchema } from '#lib/table/cms-schema.ts';
import { AnnouncedChange, type Concerned } from '#lib/table/collection/announced-change.ts';
import { newChangeId } from '#lib/table/collection/head.ts';
import { entryListScope } from '#lib/table/entry-list.ts';
import { type EntryWrite, wasApplied } from '#lib/table/entry-write.ts';
import { ConditionFailed, Unavailable } from '#lib/table/errors.ts';
import { relationScope } from '#lib/table/product-relations.ts';
import type { StoredEntry } from '#lib/table/stored-entry.ts';
import type { Table, TransactItem } from '#lib/table/table.ts';
import { laterThan } from '#lib/table/writer/time-stamps.ts';
import { ifMatchHolds } from './entity-tag.ts';
import { changedValues, dependsOnStored, type EntryChange, lostRequiredValues } from './entry-change.ts';

const triesMax = 12;
/** Above this size the merged entry must be exactly the one whose size was checked ... */
const carefulBytes = 100_000;
/** ... unless so little is written that a hundred such updates at once still fit. */
const littleBytes = 1_024;

export interface EntryUpdate {
  readonly schema: CmsSchema;
  readonly model: Model;
  readonly id: string;
  readonly change: EntryChange;
  readonly ifMatch: string | undefined;
  /** What the transaction of the update begins with, so that it is carried out once. */
  readonly once: TransactItem | undefined;
}

/**
 * Writes a checked change. Fields and languages go to document paths of their own, so that concurrent updates of
 * others survive; the stored version is a condition only where the outcome depends on it.
 * @returns the entry as it is after the update
 * @throws 404, 412, 400 for what depends on the stored state; ConditionFailed with what `once` has met. A refused update
 * changes nothing
 */
export async function updateEntry(table: Table, scope: WorkspaceScope, update: EntryUpdate): Promise<StoredEntry> {
  const { schema, model, change } = update;
  const changesNothing = change.published === undefined && change.fields.length === 0;
  const announced = new AnnouncedChange(table, changesNothing ? [] : concernedBy(scope, schema, model));
  const announcing = announced.announce();
  // A failure of it counts where it is waited for.
  announcing.catch(() => undefined);
  try {
    return await tryUpdates(table, scope, update, announced, announcing);
  } catch (error) {
    // What is unavailable may have been written all the same.
    if (!(error instanceof Unavailable)) await announcing.then(() => announced.withdraw()).catch(() => undefined);
    throw error;
  }
}

/** The collections that show an entry's content beside its own list. */
function concernedBy(scope: WorkspaceScope, { related }: CmsSchema, model: Model): Concerned[] {
  const list: Concerned = { scope: entryListScope(scope, model.id), of: 'content' };
  const relations: Concerned = { scope: relationScope(scope), of: 'rows' };
  return [...(related.has(model.id) ? [list] : []), ...(relatingFields(model).length > 0 ? [relations] : [])];
}

async function tryUpdates(
  table: Table,
  scope: WorkspaceScope,
  update: EntryUpdate,
  announced: AnnouncedChange,
  announcing: Promise<void>,
): Promise<StoredEntry> {
  const entries = new CmsEntries(table, scope);
  for (let tries = 1; tries <= triesMax; tries++) {
    const entry = await entries.find(update.model.id, update.id);
    if (!entry) throw notFound('CMS entry');
    if (update.ifMatch !== undefined && !ifMatchHolds(update.ifMatch, entry)) throw preconditionFailed();
    const { published, fields } = update.change;
    if (published === undefined && fields.length === 0) return untouched(table, entry, update);
    const written = await tryWrite(entries, entry, update, announced, announcing);
    if (written) return written;
    await pause(Math.random() * 15 * tries);
  }
  throw new Unavailable('The entry kept changing under the update.');
}

async function untouched(table: Table, entry: StoredEntry, { once }: EntryUpdate): Promise<StoredEntry> {
  if (once) await table.transact({ idempotency: once });
  return entry;
}

/** @returns nothing when the entry changed meanwhile, so that the update has to be judged again */
async function tryWrite(
  entries: CmsEntries,
  entry: StoredEntry,
  { change, ifMatch, once }: EntryUpdate,
  announced: AnnouncedChange,
  announcing: Promise<void>,
): Promise<StoredEntry | undefined> {
  const values = changedValues(entry, change);
  const bytes = storedBytes({ ...entry, values });
  const faults = [...lostRequiredValues(entry, change), ...(bytes > recordBytesMax ? [tooLarge] : [])];
  if (faults.length > 0) throw badRequest(faults.map(validationFailed));
  const write = {
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
    onlyIfUnchanged: ifMatch !== undefined || dependsOnStored(change) || mayOutgrow(bytes, change),
    once,
  } satisfies EntryWrite;
  await announcing;
  try {
    return await entries.update(entry, write, announced);
  } catch (error) {
    if (!(error instanceof ConditionFailed) || error.write === 'idempotency') throw error;
    // An update whose reply was lost is repeated by the SDK and then finds itself in place.
    entries.forget(entry);
    if (wasApplied(write, error.item)) return error.item as StoredEntry;
    const mayBeRefused = ifMatch !== undefined || dependsOnStored(change);
    if (error.repeated && mayBeRefused) throw new Unavailable('Nobody knows whether the update was applied.');
    return undefined;
  }
}

/** Whether concurrent updates, each of them small enough, could together make the entry too large. */
function mayOutgrow(bytes: number, { fields }: EntryChange): boolean {
  const written = storedBytes(Object.fromEntries(fields.map(({ field, value }) => [field.key, value])));
  return bytes > carefulBytes && (written > littleBytes || bytes + 100 * littleBytes > recordBytesMax);
}

const tooLarge = {
  path: 'values',
  code: 'too_large',
  message: 'values: The entry would be larger than 350 KB.',
} as const;
