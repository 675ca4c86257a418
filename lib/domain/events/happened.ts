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
  /** The kinds in addresses that an import has changed. */
  readonly changedKinds?: readonly string[];
}

interface Publishable {
  readonly published?: boolean;
}

const availability: ReadonlySet<string> = new Set(['soldout', 'soldoutUntil', 'optionSets']);

/**
 * What an event says of a change of an entry, a product or another record.
 * @param before undefined for a new record @param after undefined for a removed one
 * @param changed the paths of an update
 */
export function happened(
  recordKind: string,
  before: Publishable | undefined,
  after: Publishable | undefined,
  changed: readonly string[],
): Happened {
  if (recordKind !== 'cms-entries' && recordKind !== 'menu-products') return {};
  const was = before?.published;
  const is = after?.published;
  const draft = was === true || is === true ? {} : ({ draft: true } as const);
  if (!before || !after) return draft;
  if (was !== is) return { event: is ? 'published' : 'unpublished' };
  const isAvailability = recordKind === 'menu-products' && changed.every((path) => availability.has(path));
  return { ...draft, ...(isAvailability && { event: 'availability_changed' }) };
}
