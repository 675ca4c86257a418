import { isDeepStrictEqual } from 'node:util';
import { derived } from '#lib/domain/derived.ts';
import { type Issue, isObject, type JsonObject, textOf, withoutMark } from '#lib/domain/input.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { canonicalJson } from '#lib/domain/text/json-hash.ts';
import { unknownLanguages } from '#lib/domain/text/workspace-languages.ts';
import type { KindDeclaration } from '#lib/kinds/define-kind.ts';
import type { Kind, UniqueKind } from '#lib/kinds/kinds.ts';
import { withPathPrefix } from './entry-values.ts';
import { nameOf, parseRecord } from './parse-record.ts';
import type { RecordLookup, UncheckedRecord } from './record-lookup.ts';
import { valuesAt } from './values-at.ts';

export interface RecordIssues {
  /** The record in stored form, with its id and all defaults. Undefined if malformed. */
  readonly record?: JsonObject | undefined;
  readonly failures: Issue[];
  readonly warnings: Issue[];
}

/** Checks one record against its workspace (lib/spec/workspace-document.md section 2). */
export async function checkRecord(unchecked: UncheckedRecord, lookup: RecordLookup): Promise<RecordIssues> {
  const { kind, rules, record } = unchecked;
  const parsed = await parseRecord(unchecked, lookup);
  if (!isObject(record) || parsed.isTooDeep) return { failures: parsed.issues, warnings: [] };
  // In parallel, so that their reads share a batch.
  const [references, uniqueness, own, creation] = await Promise.all([
    referenceIssues(rules, record, lookup),
    uniquenessIssues(unchecked, parsed.record ?? record, lookup),
    rules.check?.(parsed.record ?? record, lookup),
    creationIssues(kind, parsed.record ?? record, lookup),
  ]);
  const failures = [
    ...parsed.issues,
    ...languageIssues(rules, record, lookup),
    ...references.failures,
    ...uniqueness,
    ...creation,
    ...(own?.failures ?? []),
  ];
  const judged = Object.groupBy(withoutRepeats(failures), (issue) =>
    // A malformed record has no form to store, so nothing of it may stay.
    parsed.record && issue.isNewer && mayStay(issue, [record, parsed.record], lookup) ? 'warnings' : 'failures',
  );
  return {
    record: parsed.record,
    failures: (judged.failures ?? []).map(withoutMark),
    warnings: [
      ...parsed.warnings,
      ...references.warnings,
      ...(own?.warnings ?? []),
      ...(judged.warnings ?? []).map(withoutMark),
    ],
  };
}

/**
 * Whether a fault by a newer rule stays: in an export, and where a write changes nothing (lib/spec/additions.md section
 * 9, "Newer rules").
 * @param versions the record as submitted and as parsed; one of them is the stored form
 */
const mayStay = ({ path }: Issue, versions: readonly unknown[], { isExport, stored }: RecordLookup): boolean =>
  isExport === true || (stored !== undefined && versions.some((version) => isUnchangedAt(path, version, stored)));

interface Counts {
  /** The text of each item, and how many equal ones there are up to it. */
  readonly items: readonly (readonly [text: string, count: number])[];
  /** How many items have a text. */
  readonly ofText: ReadonlyMap<string, number>;
}

/** A hostile list has an issue at every item. */
const countsOf = derived((list: readonly unknown[]): Counts => {
  const ofText = new Map<string, number>();
  const items = list.map((item): [string, number] => {
    const text = canonicalJson(item);
    const count = (ofText.get(text) ?? 0) + 1;
    ofText.set(text, count);
    return [text, count];
  });
  return { items, ofText };
});

/**
 * Compares the item of the outermost list on the path, because it may have moved; without a list, the value itself. An
 * item that is there more often than it was is a new one.
 */
function isUnchangedAt(path: string, record: unknown, stored: JsonObject): boolean {
  let [part, before]: unknown[] = [record, stored];
  for (const step of path.split('.')) {
    if (Array.isArray(part)) {
      const [text, count] = countsOf(part).items[Number(step)] ?? ['', 0];
      return Array.isArray(before) && (countsOf(before).ofText.get(text) ?? 0) >= count;
    }
    [part, before] = [part, before].map((value) => (isObject(value) ? value[step] : undefined));
  }
  return isDeepStrictEqual(part, before);
}

/**
 * Starts all look-ups of a record's check in parallel and ignores their results. The check then finds its reads in
 * flight.
 */
export async function readLookups(unchecked: UncheckedRecord, lookup: RecordLookup): Promise<void> {
  const { kind, rules, record } = unchecked;
  if (!isObject(record)) return;
  await Promise.all([
    referenceIssues(rules, record, lookup),
    uniquenessIssues(unchecked, record, lookup),
    // The rules of forms need no look-ups, and are slow.
    kind !== 'form' && rules.check?.(record, lookup),
  ]);
}

/** The records that a record refers to and that must exist, as `kind id`. */
export const requiredTargets = ({ references = [] }: KindDeclaration, record: JsonObject): Set<string> =>
  new Set(
    references.flatMap(({ path, to, mayBeAbsent }) =>
      mayBeAbsent || typeof to !== 'string' ? [] : valuesAt(record, path).map(({ value }) => `${to} ${value}`),
    ),
  );

function languageIssues({ localized = [] }: KindDeclaration, record: JsonObject, { languages }: RecordLookup): Issue[] {
  const texts = localized.flatMap((path) => valuesAt(record, path));
  if (!languages) return [];
  return texts.flatMap(({ path, value }) =>
    isObject(value) ? unknownLanguages(value, languages).map((issue) => withPathPrefix(path, issue)) : [],
  );
}

async function referenceIssues(
  { references = [] }: KindDeclaration,
  record: JsonObject,
  lookup: RecordLookup,
): Promise<RecordIssues> {
  const found: RecordIssues = { failures: [], warnings: [] };
  for (const { path, to, noun, mayBeAbsent, mayBeRemoved } of references) {
    const target = (typeof to === 'string' ? to : to(record)) as TargetKind | undefined;
    if (target === undefined) continue;
    const named = valuesAt(record, path).filter(({ value }) => typeof value === 'string' && isRecordId(value));
    const present = await Promise.all(named.map(({ value }) => lookup.has(target, value as string)));
    for (const reference of named.filter((_, index) => !present[index])) {
      const message = `Must be the id of ${withArticle(noun ?? wordsOf(target))}; there is no ${reference.value}${mayBeAbsent ? ' yet' : ''}.`;
      const isWarning =
        mayBeAbsent || (mayBeRemoved && (await lookup.mayBeRemovedSince?.(target, reference.value as string)));
      found[isWarning ? 'warnings' : 'failures'].push({ path: reference.path, code: 'not_found', message });
    }
  }
  return found;
}

type TargetKind = Parameters<RecordLookup['has']>[0];

const wordsOf = (kind: string): string => kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

async function uniquenessIssues(
  { kind, rules }: UncheckedRecord,
  record: JsonObject,
  lookup: RecordLookup,
): Promise<Issue[]> {
  const { unique } = rules;
  const name = nameOf(kind, rules, record);
  if (unique === undefined || name === undefined) return [];
  if (!(await lookup.isNameTaken(kind as UniqueKind, name, textOf(record['id'])))) return [];
  return [{ path: unique, code: 'duplicate', message: `Must be unique: a stored record has the same ${unique}.` }];
}

/** The creation time of a stored record does not change: lists are in its order. */
async function creationIssues(kind: Kind, record: JsonObject, lookup: RecordLookup): Promise<Issue[]> {
  const { createdAt } = record;
  if (typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt))) return [];
  const stored = await lookup.storedCreatedAt(kind, record);
  if (stored === undefined || Date.parse(stored) === Date.parse(createdAt)) return [];
  const message = `Must be absent or ${stored}: the creation time of a stored record does not change.`;
  return [{ path: 'createdAt', code: 'not_allowed', message }];
}

/** Keeps one issue per path and code, because two checks may report the same one. */
const withoutRepeats = (issues: readonly Issue[]): Issue[] =>
  [...new Map(issues.toReversed().map((issue) => [`${issue.path} ${issue.code}`, issue] as const)).values()].reverse();
