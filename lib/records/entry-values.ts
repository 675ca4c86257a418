import type { Field, Model, Relation } from '#lib/domain/cms/cms-model.ts';
import { checkValue, hasValue, requiredIssue } from '#lib/domain/cms/cms-values.ts';
import { relatedModelId } from '#lib/domain/cms/field-names.ts';
import { type Issue, isObject, type JsonObject, withoutMark } from '#lib/domain/input.ts';
import { jsonIssues } from '#lib/domain/text/json-value.ts';
import { withoutNulls } from '#lib/domain/text/localized.ts';
import type { RecordLookup } from './record-lookup.ts';

/** The values of an entry in stored form, one for every field of its model, and their issues. */
export interface ParsedValues {
  readonly values: JsonObject;
  readonly issues: Issue[];
  readonly warnings: Issue[];
}

interface Where {
  /** Those of the workspace. */
  readonly languages: readonly string[];
  /** Whether a value stays, with a warning, that only a later change of the database has made invalid. */
  readonly mayStay: (key: string, value: unknown) => boolean;
}

/** Checks an entry's values against its model (lib/spec/workspace-document.md section 2; lib/spec/decisions.md section 3). */
export function parseValues(input: JsonObject, model: Model, where: Where): ParsedValues {
  const keys = new Set(model.fields.map(({ key }) => key));
  const fields = keys.size === 0 ? 'it has no fields' : `its fields are ${[...keys].join(', ')}`;
  const issues = Object.keys(input)
    .filter((key) => !keys.has(key))
    .map((key): Issue => {
      const message = `Must be a field of the database ${model.id}; ${fields}.`;
      return { path: `values.${key}`, code: 'unknown_field', message };
    });
  const warnings: Issue[] = [];
  const values = model.fields.map((field): [string, unknown] => {
    const value = Object.hasOwn(input, field.key) ? input[field.key] : null;
    const parsed = where.mayStay(field.key, value) ? storedValue(field, value, where) : parseValue(field, value, where);
    const inField = (issue: Issue) => withPathPrefix(`values.${field.key}`, issue);
    issues.push(...parsed.issues.map(inField));
    warnings.push(...(parsed.warnings ?? []).map(inField));
    return [field.key, parsed.value];
  });
  return { values: Object.fromEntries(values), issues, warnings };
}

interface ParsedValue {
  readonly value: unknown;
  readonly issues: readonly Issue[];
  readonly warnings?: readonly Issue[];
}

/** A stored value. If only a newer rule or a later change of the database made it invalid, it stays, with a warning. */
function storedValue(field: Field, input: unknown, where: Where): ParsedValue {
  const parsed = parseValue(field, input, where);
  const isChoice = field.type === 'select' || field.type === 'multiSelect';
  const isOutdated = ({ code, isNewer }: Issue) =>
    isNewer || code === 'required' || (code === 'not_allowed' && isChoice);
  if (!parsed.issues.every(isOutdated)) return parsed;
  const kept = isChoice ? { value: input, issues: jsonIssues(input, 2) } : { value: parsed.value, issues: [] };
  return { ...kept, warnings: parsed.issues.map(withoutMark) };
}

function parseValue(field: Field, input: unknown, { languages }: Where): ParsedValue {
  const checked = checkValue(field, input, languages);
  const { value: whole = null, issues = [] } = 'issues' in checked ? checked : { value: checked.value };
  const value = field.localized && isObject(whole) ? withoutNulls(whole) : whole;
  const isMissing = issues.length === 0 && field.required && !hasValue(field, value);
  return { value, issues: isMissing ? [requiredIssue] : issues };
}

/** Warnings for related records that are absent, because they may be imported later, or of another kind. */
export async function absentTargets(values: JsonObject, model: Model, lookup: RecordLookup): Promise<Issue[]> {
  const issues = model.fields.map(async ({ key, relation }): Promise<Issue[]> => {
    if (!relation || !Object.hasOwn(values, key)) return [];
    const ids = [values[key]].flat().filter((id) => isText(id));
    const messages = await Promise.all(ids.map((id) => absence(id, relation, lookup)));
    return messages.flatMap((message) => (message ? { path: `values.${key}`, code: 'not_found', message } : []));
  });
  return (await Promise.all(issues)).flat();
}

/** Why a relation does not show a record, or undefined if it does. */
async function absence(id: string, relation: Relation, lookup: RecordLookup): Promise<string | undefined> {
  const modelId = relatedModelId(relation);
  const exists = await (modelId === undefined ? lookup.has('menuProduct', id) : lookup.hasEntry(modelId, id));
  if (exists) return undefined;
  const owner = await lookup.ownerOf(id);
  return `Must be of ${relation.to} to be shown; ${owner ? `${id} is of ${owner}` : `there is no ${id} yet`}.`;
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const withPathPrefix = (path: string, issue: Issue): Issue => ({
  ...issue,
  path: issue.path === '' ? path : `${path}.${issue.path}`,
});
