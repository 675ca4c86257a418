import { leadsInto } from '../cms/hidden-fields.ts';

/** What happened to a record, the second part of an event's type. */
export type EventAction =
  | 'created'
  | 'updated'
  | 'deleted'
  | 'published'
  | 'unpublished'
  | 'availability_changed'
  | 'imported'
  | 'disabled';

/** What an event says of a change beside its paths. */
export interface Happened {
  /** Absent where it follows from the action of the audit event. */
  readonly event?: EventAction;
  /** The record was a draft before and after the change. */
  readonly draft?: true;
  /** Those of the changed paths that lead into fields of an entry that were hidden then. */
  readonly hidden?: readonly string[];
  /** The kinds in addresses that an import has changed. */
  readonly changedKinds?: readonly string[];
}

/** A record as far as an event needs it. */
export interface Publishable {
  readonly published?: boolean;
}

const availability: ReadonlySet<string> = new Set(['soldout', 'soldoutUntil', 'optionSets']);

/**
 * What an event says of a change of an entry, a product or another record.
 * @param before undefined for a new record @param after undefined for a removed one
 * @param changed the paths of an update @param hiddenKeys the hidden fields of an entry
 */
export function happened(
  recordKind: string,
  before: Publishable | undefined,
  after: Publishable | undefined,
  changed: readonly string[],
  hiddenKeys: readonly string[] = [],
): Happened {
  if (recordKind !== 'cms-entries' && recordKind !== 'menu-products') return {};
  const was = before?.published;
  const is = after?.published;
  const draft = was === true || is === true ? {} : ({ draft: true } as const);
  if (!before || !after) return draft;
  const hidden = changed.filter((path) => leadsInto(hiddenKeys, path));
  const told = { ...draft, ...(hidden.length > 0 && { hidden }) };
  if (was !== is) return { ...told, event: is ? 'published' : 'unpublished' };
  const isAvailability = recordKind === 'menu-products' && changed.every((path) => availability.has(path));
  return { ...told, ...(isAvailability && { event: 'availability_changed' }) };
}
