import { isDeepStrictEqual } from 'node:util';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { isObject, type JsonObject } from '#lib/domain/input.ts';
import { timedId } from '#lib/domain/text/timed-id.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import { form, notification } from '#lib/kinds/forms.ts';
import { agent, customer } from '#lib/kinds/messaging.ts';
import { writtenKinds } from '#lib/kinds/written-kinds.ts';
import { writtenChecks } from '#lib/records/written-checks.ts';
import { recordRules } from '#lib/table/writer/record-rules.ts';
import { requireReach, requireToReadConversations, requireToReadResponses } from './effects.ts';
import { type KindRules, type ManageRequest, storedBy } from './managed-record.ts';
import { entryRules, scheduledRules, visibleModel } from './scheduled-kinds.ts';

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

const valuesOf = (record: JsonObject | undefined): JsonObject => (isObject(record?.['values']) ? record['values'] : {});

/** A merge patch removes values that are null. The check needs their names, because some may be those of no field. */
function withNamedValues(record: JsonObject, { values: patched }: JsonObject): JsonObject {
  const { values } = record;
  if (!isObject(patched) || !isObject(values)) return record;
  const removed = Object.entries(patched).filter(([, value]) => value === null);
  return { ...record, values: { ...values, ...Object.fromEntries(removed) } };
}

/** The rules of the kinds that the functions `manage-*` write. All else about a kind is in its declaration. */
export const writtenRules: KindRules = {
  ...storedBy(recordRules, writtenKinds),
  ...scheduledRules,
  cmsEntry: {
    ...entryRules,
    check: writtenChecks.cmsEntry,
    // It contains the creation time, so that functions find a new entry without its pointer.
    newId: (now) => timedId('entry', now.getTime()),
    lookup: (lookup, granted) => ({
      ...lookup,
      model: async (id) => {
        const model = await lookup.model(id);
        return model && visibleModel(model, granted);
      },
    }),
    prepare: (record, { isPatch, patch }) => (isPatch ? withNamedValues(record, patch) : record),
    complete: (record, stored, granted, { schema }, { restores, body }) => {
      const model = schema?.models.get(String(record['modelId']));
      // The hidden values of a deleted record come from its version.
      const source = stored ?? restores?.whole;
      if (!source || !model || granted.has('cms:entry:read-hidden')) return record;
      const values = valuesOf(source);
      const shown = valuesOf(body);
      // A field that is hidden no more keeps its value where the version does not show the former one.
      const isUnseen = (key: string) =>
        stored !== undefined && Object.hasOwn(valuesOf(restores?.whole), key) && !Object.hasOwn(shown, key);
      const kept = model.fields.filter(({ key, hidden }) => (hidden || isUnseen(key)) && Object.hasOwn(values, key));
      const permitted = kept.map(({ key }) => [key, values[key]]);
      return { ...record, values: { ...(record['values'] as JsonObject), ...Object.fromEntries(permitted) } };
    },
  },
  menuProduct: {
    ...scheduledRules.menuProduct,
    check: writtenChecks.menuProduct,
    authorize: requireAvailabilityOnly,
    prepare: clearSoldoutUntil,
  },
  form: { ...form, storage: recordRules, check: writtenChecks.form, authorize: requireToReadResponses },
  notification: {
    ...notification,
    storage: recordRules,
    check: writtenChecks.notification,
    authorize: onlyReadAt,
  },
  customer: { ...customer, storage: recordRules, authorize: requireToReadConversations },
  agent: { ...agent, storage: recordRules, check: writtenChecks.agent, authorize: requireReach },
};
