import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { isObject, type JsonObject } from '#lib/domain/json-object.ts';
import { timedId } from '#lib/domain/text/timed-id.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import { writtenKinds } from '#lib/kinds/kinds.ts';
import { recordRules } from '#lib/table/writer/record-rules.ts';
import { menuRules } from '#lib/table/writer/scheduled-rules.ts';
import { requireReach, requireToReadConversations, requireToReadResponses } from './effects.ts';
import { entryRules } from './entries.ts';
import type { EditRules, KindRules, ManageRequest } from './managed-record.ts';

/** Refuses a change of any member but `readAt` (lib/spec/additions.md section 2). @throws 400 */
function onlyReadAt(_: unknown, before: JsonObject | undefined, after: JsonObject): void {
  const changed = Object.keys(after).filter(
    (name) => name !== 'readAt' && after[name] !== undefined && !isDeepStrictEqual(after[name], before?.[name]),
  );
  if (changed.length === 0) return;
  throw badRequest(
    changed.map((path) =>
      validationFailed({ path, code: 'not_allowed', message: `${path}: Must not be changed; only readAt can be.` }),
    ),
  );
}

/**
 * Allows only changes of the sold-out members of a product, unless the caller may manage products
 * (lib/spec/additions.md section 2, availability).
 * @throws 403
 */
function requireAvailabilityOnly(
  { principal }: Pick<ManageRequest, 'principal'>,
  before: JsonObject | undefined,
  after: JsonObject,
): void {
  if (effectivePermissions(principal).has('menu:product:manage')) return;
  // Stamps that were not sent stay, or move by themselves.
  const { createdAt = before?.['createdAt'], updatedAt = before?.['updatedAt'] } = after;
  const merged = { ...after, createdAt, updatedAt };
  if (!before || !isDeepStrictEqual(withoutAvailability(before), withoutAvailability(merged))) {
    throw lacksPermission('menu:product:manage', principal.kind);
  }
}

/** A product without the properties that `menu:product:availability` may change. */
const withoutAvailability = ({ soldout, soldoutUntil, optionSets, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  optionSets: itemsOf(optionSets).map(({ options, ...set }) => ({
    ...set,
    options: itemsOf(options).map(({ soldout: _, ...option }) => option),
  })),
});

const itemsOf = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : []);

/** A patch of `soldout` without `soldoutUntil` has no end, so an earlier end is removed. */
const clearSoldoutUntil = (
  record: JsonObject,
  { isPatch, patch }: { readonly isPatch: boolean; readonly patch: JsonObject },
): JsonObject =>
  isPatch && Object.hasOwn(patch, 'soldout') && !Object.hasOwn(patch, 'soldoutUntil')
    ? { ...record, soldoutUntil: null }
    : record;

/** It contains the creation time, so that functions find a new entry without its pointer. */
const newEntryId = (now: Date): string => timedId('entry', now.getTime(), randomBytes(12).toString('hex'));

const plain: EditRules = { storage: recordRules };

/** The rules of the kinds that the functions for all kinds write. All else about a kind is in its declaration. */
export const writtenRules: KindRules = {
  ...Object.fromEntries(writtenKinds.map((kind) => [kind, plain])),
  cmsEntry: { newId: newEntryId, ...entryRules },
  menuCategory: { storage: menuRules },
  menuProduct: { storage: menuRules, authorize: requireAvailabilityOnly, prepare: clearSoldoutUntil },
  form: { ...plain, authorize: requireToReadResponses },
  notification: { ...plain, authorize: onlyReadAt },
  customer: { ...plain, authorize: requireToReadConversations },
  agent: { ...plain, authorize: requireReach },
};
