import { isRecordId } from '#lib/domain/identifier.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { unknownLanguages } from '#lib/domain/localized.ts';
import { nameOf } from './document-index.ts';
import type { DocumentRecord } from './document-item.ts';
import { isKind, type Kind, kindRow } from './document-kinds.ts';
import { below } from './entry-values.ts';
import { isObject, type JsonObject, textOf, valuesAt } from './json-object.ts';
import type { KnownRecords } from './known-records.ts';
import { parseRecord } from './parse-record.ts';
import { recordRules } from './record-rules.ts';
import type { NamedKind } from './stored-lookup.ts';

/** What a record is judged to be. */
export interface Judgement {
  readonly failures: Issue[];
  readonly warnings: Issue[];
}

/** Judges one record with all that is known beside it (lib/spec/workspace-document.md section 2). */
export async function checkRecord({ kind, record }: DocumentRecord, known: KnownRecords): Promise<Judgement> {
  const parsed = await parseRecord(kind, record, known);
  if (!isObject(record) || parsed.isTooDeep) return { failures: parsed.issues, warnings: [] };
  const references = await referenceIssues(kind, record, known);
  const rules = await recordRules[kind]?.(parsed.record ?? record, known);
  const failures = [
    ...parsed.issues,
    ...languageIssues(kind, record, known),
    ...references.failures,
    ...(await nameIssues(kind, parsed.record ?? record, known)),
    ...(rules?.failures ?? []),
  ];
  return { failures: onePerPlace(failures), warnings: [...references.warnings, ...(rules?.warnings ?? [])] };
}

function languageIssues(kind: Kind, record: JsonObject, { index: { languages } }: KnownRecords): Issue[] {
  const texts = (kindRow(kind).localized ?? []).flatMap((path) => valuesAt(record, path));
  if (!languages) return [];
  return texts.flatMap(({ path, value }) =>
    isObject(value) ? unknownLanguages(value, languages).map((issue) => below(path, issue)) : [],
  );
}

async function referenceIssues(kind: Kind, record: JsonObject, known: KnownRecords): Promise<Judgement> {
  const judgement: Judgement = { failures: [], warnings: [] };
  for (const { path, to, mayBeAbsent } of kindRow(kind).references ?? []) {
    const target = typeof to === 'string' ? to : to(record);
    if (!isKind(target) || target === 'cmsEntry') continue;
    const places = valuesAt(record, path).filter(({ value }) => typeof value === 'string' && isRecordId(value));
    const present = await Promise.all(places.map(({ value }) => known.has(target, value as string)));
    for (const place of places.filter((_, index) => !present[index])) {
      const message = `Must be the id of a ${target}; there is no ${place.value}${mayBeAbsent ? ' yet' : ''}.`;
      judgement[mayBeAbsent ? 'warnings' : 'failures'].push({ path: place.path, code: 'not_found', message });
    }
  }
  return judgement;
}

async function nameIssues(kind: Kind, record: JsonObject, known: KnownRecords): Promise<Issue[]> {
  const { unique } = kindRow(kind);
  const name = nameOf(kind, record);
  if (unique === undefined || name === undefined) return [];
  if (!(await known.isNameTaken(kind as NamedKind, name, textOf(record['id'])))) return [];
  return [{ path: unique, code: 'duplicate', message: `Must be unique: a stored record has the same ${unique}.` }];
}

/** What two checks find in one place is one failure. */
const onePerPlace = (issues: readonly Issue[]): Issue[] =>
  [...new Map(issues.toReversed().map((issue) => [`${issue.path} ${issue.code}`, issue] as const)).values()].reverse();
