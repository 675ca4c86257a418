import { isDeepStrictEqual } from 'node:util';
import type { Issue } from '#lib/domain/issue.ts';
import { isObject, type JsonObject } from '#lib/domain/json-object.ts';
import { parseStorable } from '#lib/domain/schema-issue.ts';
import { jsonIssues } from '#lib/domain/text/json-value.ts';
import { type Kind, kindOf } from '#lib/kinds/kinds.ts';
import { inSchemaOrder, nestingLevelsMax, withId } from './complete-record.ts';
import { parseValues } from './entry-values.ts';
import type { RecordLookup } from './record-lookup.ts';
import { sizeIssues } from './record-size.ts';

/** A record as the import writes it, or undefined when it is malformed. */
export interface Parsed {
  readonly record: JsonObject | undefined;
  /** Those by newer rules are marked. With these alone, there is a record. */
  readonly issues: Issue[];
  /** The issues that do not keep an export from being imported. */
  readonly warnings: Issue[];
  /** The record must not be traversed further, because recursion would overflow the stack. */
  readonly isTooDeep?: boolean;
}

/** Parses one record by its schema, and an entry also by its model (lib/spec/workspace-document.md section 2). */
export async function parseRecord(kind: Kind, input: unknown, lookup: RecordLookup): Promise<Parsed> {
  if (!isObject(input))
    return { record: undefined, issues: [{ path: '', code: 'type', message: 'Must be an object.' }], warnings: [] };
  const unsafe = jsonIssues(kind === 'cmsEntry' ? { ...input, values: null } : input, nestingLevelsMax);
  if (unsafe.some(({ code }) => code === 'too_large'))
    return { record: undefined, issues: unsafe, warnings: [], isTooDeep: true };
  const shaped = parseStorable(kindOf(kind).schema, withId(kind, input));
  const valued =
    kind === 'cmsEntry' ? await parseEntry(input, shaped.value as JsonObject | undefined, lookup) : undefined;
  const issues = [...unsafe, ...shaped.issues, ...(valued?.issues ?? [])];
  const warnings = valued?.warnings ?? [];
  const record = valued ? valued.record : (shaped.value as JsonObject | undefined);
  if (!record) return { record, issues, warnings };
  const ordered = inSchemaOrder(kind, record);
  return { record: ordered, issues: [...issues, ...sizeIssues(kind, ordered)], warnings };
}

/** Checks the values even if the entry has other failures, so that all of them are reported together. */
async function parseEntry(input: JsonObject, shaped: JsonObject | undefined, lookup: RecordLookup): Promise<Parsed> {
  const { languages, isExport = false, isPatch = false, stored } = lookup;
  const values = input['values'] ?? {};
  const model = typeof input['modelId'] === 'string' ? await lookup.model(input['modelId']) : undefined;
  if (!model || !languages || !isObject(values)) return { record: shaped, issues: [], warnings: [] };
  const storedValues = stored?.['values'];
  const isUnchanged = (key: string, value: unknown) =>
    isObject(storedValues) && isDeepStrictEqual(value, storedValues[key] ?? null);
  const mayStay = (key: string, value: unknown) => isExport || (isPatch && isUnchanged(key, value));
  const parsed = parseValues(values, model, { languages, mayStay });
  return { ...parsed, record: shaped && { ...shaped, values: parsed.values } };
}
