import { timeOf } from '../collection/head.ts';
import { type AttributeChange, updateExpression } from '../dynamodb/update-expression.ts';
import { editedNow } from '../edited-at.ts';
import type { TransactItem, Writes } from '../table.ts';
import type { StoredEntry } from './stored-entry.ts';

/** An update of an entry that was read. */
export interface EntryWrite {
  /** The value that the update sets, also in the row of the list. */
  readonly published: boolean | undefined;
  readonly fields: readonly FieldWrite[];
  /** All values after the update, used if the update does not fit one expression. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly updatedAt: string;
  readonly revision: string;
  /** The id of this update. It contains the time. */
  readonly id: string;
  /** The ids of updates in the entry when it was read; undefined if it has none. */
  readonly writesBefore: StoredEntry['writes'];
  /** Whether the update requires the version that was read, and replaces all its values. */
  readonly onlyIfUnchanged: boolean;
  /** The version that the update requires. The result is then known without another read. */
  readonly expected?: string | undefined;
  /** Further writes of the transaction, such as an audit event. */
  readonly beside?: Writes | undefined;
  /** Whether the update requires a published entry. */
  readonly onlyIfPublished?: boolean;
  /** The first write of the transaction. When its condition does not hold, the entry stays as it is. */
  readonly idempotency?: TransactItem | undefined;
}

export interface FieldWrite {
  readonly key: string;
  readonly localized: boolean;
  /** For a localized field: the languages to set, null for a language to remove, or null for all. */
  readonly value: unknown;
  /** Whether the entry has a map for the languages; not for a field that its database got later. */
  readonly hasParent: boolean;
}

/** An expression has at most 4 KB; an update that starts more localized fields at once replaces all values. */
const orphansMax = 40;

/**
 * An update with a document path for each field and language, so that concurrent updates of others survive.
 * @returns undefined if it does not fit one expression, or depends on the stored version
 */
export function updateByPath(write: EntryWrite) {
  const orphans = write.fields.filter(isOrphan);
  if (write.onlyIfUnchanged || orphans.length > orphansMax) return undefined;
  const mark = notApplied(write);
  const lacking = stillOrphans(orphans);
  const same = stillExpected(write);
  const shown = write.onlyIfPublished ? isStillPublished : always;
  const changes = [...write.fields.flatMap(attributeChanges), ...stamps(write), ...marks(write)];
  return conditional(changes, {
    terms: [...mark.terms, ...lacking.terms, ...same.terms, ...shown.terms],
    names: { ...mark.names, ...lacking.names, ...same.names, ...shown.names },
    values: { ...lacking.values, ...same.values, ...shown.values },
  });
}

/** An update that replaces all values of an entry, on condition that it is still the one that was read. */
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
      ConditionExpression: ['attribute_exists(#pk)', 'attribute_not_exists(#movedTo)', ...terms].join(' AND '),
      ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#pk': 'pk', '#movedTo': 'movedTo', ...names },
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...values },
    }
  );
}

/** No try of an update arrives later than this: the SDK gives up after seconds. */
const lateMillisecondsMax = 2 * 60_000;
/** An entry keeps about this many ids. A late try after more updates is not detected. */
const keptMax = 30;
const forgottenMax = 20;

/**
 * An update may be tried more than once, and its first try may arrive after another update was answered. The ids of
 * the last updates keep it from being applied again: of two minutes, and of 30 updates at most.
 */
const notApplied = ({ id, writesBefore }: EntryWrite): Condition =>
  writesBefore
    ? { terms: ['attribute_not_exists(#writes.#write)'], names: { '#writes': 'writes', '#write': id }, values: {} }
    : { terms: ['attribute_not_exists(#writes)'], names: { '#writes': 'writes' }, values: {} };

function marks({ id, writesBefore }: EntryWrite): AttributeChange[] {
  if (!writesBefore) return [{ path: ['writes'], set: { [id]: 1 } }];
  const old = Object.keys(writesBefore)
    .sort()
    .filter((one, index, { length }) => index < length - keptMax || timeOf(one) < Date.now() - lateMillisecondsMax);
  return [
    { path: ['writes', id], set: 1 },
    ...old.slice(0, forgottenMax).map((one) => ({ path: ['writes', one], remove: true as const })),
  ];
}

/** Whether an update was applied, according to the item that failed its condition. */
export const wasApplied = (
  { id, revision }: EntryWrite,
  item: Readonly<Record<string, unknown>> | undefined,
): boolean => item?.['revision'] === revision || (item as StoredEntry | undefined)?.writes?.[id] !== undefined;

const isOrphan = ({ localized, value, hasParent }: FieldWrite): boolean => localized && value !== null && !hasParent;

/** A concurrent update may have created the map of a field, with languages that must not be lost. */
const stillOrphans = (orphans: readonly FieldWrite[]): Condition => ({
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
  if (isOrphan(write)) return [{ path: ['values', key], set: withoutNulls(value as object) }];
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
