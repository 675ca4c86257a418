import { timeOf } from '../collection/head.ts';
import { type AttributeChange, updateExpression } from '../dynamodb/conditions.ts';
import { editedNow } from '../record-of.ts';
import type { TransactItem, Writes } from '../table.ts';
import type { StoredEntry } from './stored-entry.ts';

/** An update of an entry that the request has read. */
export interface EntryWrite {
  /** The new value, or undefined to keep the current one. It is also in the entry's row. */
  readonly published: boolean | undefined;
  readonly fields: readonly FieldWrite[];
  /** All values after the update, for an update that does not fit one expression. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly updatedAt: string;
  readonly revision: string;
  /** The id of this update. It contains the time. */
  readonly id: string;
  /** The ids of updates that the entry contained when it was read; undefined if it has no map of ids. */
  readonly writesBefore: StoredEntry['writes'];
  /** Whether the update requires the version that was read, and replaces all its values. */
  readonly onlyIfUnchanged: boolean;
  /** The version that the update requires. The result can then be derived without another read. */
  readonly expected?: string | undefined;
  /** Further writes of the transaction, such as an audit event. */
  readonly additionalWrites?: Writes | undefined;
  /** Whether the update requires a published entry. */
  readonly onlyIfPublished?: boolean;
  /** The first write of the transaction. If its condition fails, the entry stays unchanged. */
  readonly idempotency?: TransactItem | undefined;
}

export interface FieldWrite {
  readonly key: string;
  readonly localized: boolean;
  /** For a localized field: the languages to set, null to remove one, or null for all languages. */
  readonly value: unknown;
  /** Whether the entry has a map for the languages. It lacks one if the field was added later. */
  readonly hasParent: boolean;
}

/** An expression has at most 4 KB. An update that starts more localized fields replaces all values. */
const newMapsMax = 40;

/**
 * An update with a document path for each field and language, so that concurrent updates of others survive.
 * @returns undefined if it does not fit one expression, or requires the version that was read
 */
export function updateByPath(write: EntryWrite) {
  const orphans = write.fields.filter(lacksLanguageMap);
  if (write.onlyIfUnchanged || orphans.length > newMapsMax) return undefined;
  const mark = notApplied(write);
  const lacking = mapsStillMissing(orphans);
  const same = stillExpected(write);
  const shown = write.onlyIfPublished ? isStillPublished : always;
  const changes = [...write.fields.flatMap(attributeChanges), ...stamps(write), ...marks(write)];
  return conditional(changes, {
    terms: [...mark.terms, ...lacking.terms, ...same.terms, ...shown.terms],
    names: { ...mark.names, ...lacking.names, ...same.names, ...shown.names },
    values: { ...lacking.values, ...same.values, ...shown.values },
  });
}

/** An update that replaces all values of an entry, if the entry has not changed since the read. */
export function updateAsWhole(write: EntryWrite, revision: string) {
  const expression = conditional(
    [{ path: ['values'], set: write.values }, ...stamps(write)],
    stillExpected({ expected: revision }),
  );
  if (!expression) throw new Error('Replacing all values is always short enough.');
  return expression;
}

const stillExpected = ({ expected }: Pick<EntryWrite, 'expected'>): Condition =>
  expected === undefined
    ? always
    : { terms: ['#revision = :revision'], names: { '#revision': 'revision' }, values: { ':revision': expected } };

interface Condition {
  readonly terms: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

const always: Condition = { terms: [], names: {}, values: {} };

const isStillPublished: Condition = {
  terms: ['#wasPublished = :true'],
  names: { '#wasPublished': 'published' },
  values: { ':true': true },
};

function conditional(changes: readonly AttributeChange[], { terms, names, values }: Condition) {
  const update = updateExpression(changes);
  return (
    update && {
      ...update,
      ConditionExpression: ['attribute_exists(#pk)', ...terms].join(' AND '),
      ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#pk': 'pk', ...names },
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...values },
    }
  );
}

/** The maximum delay of a late try: the client gives up after seconds. */
const lateTryMillisecondsMax = 2 * 60_000;
/** The approximate maximum number of ids in an entry. A late try after more updates is not detected. */
const writeIdsMax = 30;
const expiredIdsMax = 20;

/**
 * The first try of a retried update may arrive after later updates. The ids of the last updates, of two minutes and 30
 * at most, keep it from being applied again.
 */
const notApplied = ({ id, writesBefore }: EntryWrite): Condition =>
  writesBefore
    ? { terms: ['attribute_not_exists(#writes.#write)'], names: { '#writes': 'writes', '#write': id }, values: {} }
    : { terms: ['attribute_not_exists(#writes)'], names: { '#writes': 'writes' }, values: {} };

function marks({ id: writeId, writesBefore }: EntryWrite): AttributeChange[] {
  if (!writesBefore) return [{ path: ['writes'], set: { [writeId]: 1 } }];
  const old = Object.keys(writesBefore)
    .sort()
    .filter(
      (id, index, { length }) => index < length - writeIdsMax || timeOf(id) < Date.now() - lateTryMillisecondsMax,
    );
  return [
    { path: ['writes', writeId], set: 1 },
    ...old.slice(0, expiredIdsMax).map((id) => ({ path: ['writes', id], remove: true as const })),
  ];
}

/** Updates that follow so closely probably have several writers. */
const contention = { updates: 5, milliseconds: 500 } as const;

/**
 * Whether an entry is updated so often that another update probably comes between a read and its write. It is only an
 * estimate, so the clocks of other writers do not matter.
 */
export function isContended({ writes = {} }: Pick<StoredEntry, 'writes'>): boolean {
  const since = Date.now() - contention.milliseconds;
  return Object.keys(writes).filter((id) => timeOf(id) > since).length >= contention.updates;
}

/** Whether an item, for example that of a failed condition, contains an update. */
export const wasApplied = (
  { id, revision }: EntryWrite,
  item: Readonly<Record<string, unknown>> | undefined,
): boolean => item?.['revision'] === revision || (item as StoredEntry | undefined)?.writes?.[id] !== undefined;

const lacksLanguageMap = ({ localized, value, hasParent }: FieldWrite): boolean =>
  localized && value !== null && !hasParent;

/** A concurrent update may have created the map of a field, with languages that must not be lost. */
const mapsStillMissing = (orphans: readonly FieldWrite[]): Condition => ({
  terms: orphans.map((_, index) => `NOT attribute_type(#values.#orphan${index}, :map)`),
  names: Object.fromEntries([
    ...(orphans.length > 0 ? [['#values', 'values']] : []),
    ...orphans.map(({ key }, index) => [`#orphan${index}`, key]),
  ]),
  values: orphans.length > 0 ? { ':map': 'M' } : {},
});

function attributeChanges(write: FieldWrite): AttributeChange[] {
  const { key, localized, value } = write;
  if (!localized) return [{ path: ['values', key], set: value }];
  if (value === null) return [{ path: ['values', key], set: {} }];
  if (lacksLanguageMap(write)) return [{ path: ['values', key], set: withoutNulls(value as object) }];
  return Object.entries(value as object).map(([language, text]) => {
    const path = ['values', key, language];
    return text === null ? { path, remove: true } : { path, set: text };
  });
}

const withoutNulls = (texts: object): object =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));

const stamps = ({ published, updatedAt, revision }: EntryWrite): AttributeChange[] => [
  ...(published === undefined
    ? []
    : [
        { path: ['published'], set: published },
        { path: ['rowRevision'], set: revision },
      ]),
  { path: ['updatedAt'], set: updatedAt },
  { path: ['revision'], set: revision },
  { path: ['editedAt'], set: editedNow().editedAt },
];
