import { isDeepStrictEqual } from 'node:util';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { isObject, type JsonObject } from '#lib/domain/json-object.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import type { ManageRequest } from './managed-record.ts';

/**
 * Allows only changes of the sold-out members of a product, unless the caller may manage products
 * (lib/spec/additions.md section 2, availability).
 * @throws 403
 */
export function requireAvailabilityOnly(
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
export const clearSoldoutUntil = (
  record: JsonObject,
  { isPatch, patch }: { readonly isPatch: boolean; readonly patch: JsonObject },
): JsonObject =>
  isPatch && Object.hasOwn(patch, 'soldout') && !Object.hasOwn(patch, 'soldoutUntil')
    ? { ...record, soldoutUntil: null }
    : record;
