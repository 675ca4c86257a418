import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { keyRules } from '#lib/access/key-rules.ts';
import { memberRules } from '#lib/access/member-rules.ts';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { isObject, type JsonObject } from '#lib/domain/json-object.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import type { Referrer } from '#lib/domain/referrer.ts';
import { timedId } from '#lib/domain/text/timed-id.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import type { ManagedKind } from '#lib/kinds/kinds.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import { orphanedObjectWrite } from '#lib/table/messaging/pending-attachment.ts';
import { type ReferredKind, references, referrerIds } from '#lib/table/references.ts';
import type { Writes } from '#lib/table/table.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import { requireReach, requireSight, requireToReadConversations, requireToReadResponses } from './effects.ts';
import { entriesOfModel, entryRules } from './entries.ts';
import { entriesWithValues } from './field-values.ts';
import type { EditRules, ManageRequest } from './managed-record.ts';
import { namedRecordsMax } from './refusals.ts';

/**
 * Queues the object of a deleted attachment for the sweep. That happens in the transaction that removes the record, so
 * no object stays behind.
 */
const fileRemovalWrites = ({ principal }: ManageRequest, { status, before }: AppliedChange): Writes =>
  status === 'removed' && before ? { object: orphanedObjectWrite(principal, before as Attachment, Date.now()) } : {};

const productsOfCategory = ({ table, principal }: ManageRequest, categoryId: string): Promise<Referrer[]> =>
  new Menu(table, principal).read(async ({ products }) =>
    products
      .filter((product) => product.categoryId === categoryId)
      .slice(0, namedRecordsMax)
      .map(({ id }) => ({ kind: 'menuProduct', id })),
  );

/** The records that refer to a form, a channel or a customer. */
const referrersOf =
  (parent: ReferredKind) =>
  async ({ table, principal }: ManageRequest, id: string): Promise<Referrer[]> => {
    const ids = await referrerIds(table, principal, { kind: parent, id }, namedRecordsMax);
    return ids.map((referrerId) => ({ kind: references[parent].kind, id: referrerId }));
  };

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

/** A database with a new relation to products reads all of its entries (lib/table/writer/relation-items.ts). */
export const schemaMilliseconds = 8_000;

/** It contains the creation time, so that functions find a new entry without its pointer. */
const newEntryId = (now: Date): string => timedId('entry', now.getTime(), randomBytes(12).toString('hex'));

/** The rules that only one kind has. All others are in its declaration. */
const rules: Readonly<Partial<Record<ManagedKind, EditRules>>> = {
  member: memberRules,
  apiKey: keyRules,
  cmsModel: {
    milliseconds: schemaMilliseconds,
    referrers: entriesOfModel,
    authorize: requireSight,
    holders: entriesWithValues,
  },
  cmsEntry: { newId: newEntryId, ...entryRules },
  menuCategory: { referrers: productsOfCategory },
  menuProduct: { authorize: requireAvailabilityOnly, prepare: clearSoldoutUntil },
  form: { referrers: referrersOf('form'), authorize: requireToReadResponses },
  notification: { authorize: onlyReadAt },
  attachment: { additionalWrites: fileRemovalWrites },
  channel: { referrers: referrersOf('channel') },
  customer: { referrers: referrersOf('customer'), authorize: requireToReadConversations },
  agent: { authorize: requireReach },
};

export const rulesOf = (kind: ManagedKind): EditRules => rules[kind] ?? {};
