import { type Field, type Model, relatedModelId } from '#lib/domain/cms-model.ts';
import { checkValue, hasValue, requiredIssue } from '#lib/domain/cms-values.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { isObject, type JsonObject } from './json-object.ts';
import type { KnownRecords } from './known-records.ts';

/** The values of an entry as they are stored, every field of its model among them, and what is wrong with them. */
export interface ParsedValues {
  readonly values: JsonObject;
  readonly issues: Issue[];
}

/** Judges an entry's values by its model (workspace-document.md; decisions.md section 3). */
export function parseValues(given: JsonObject, model: Model, languages: readonly string[]): ParsedValues {
  const keys = new Set(model.fields.map(({ key }) => key));
  const issues = Object.keys(given)
    .filter((key) => !keys.has(key))
    .map((key): Issue => {
      const message = `Must be a field of the database ${model.id}; it has none of this name.`;
      return { path: `values.${key}`, code: 'unknown_field', message };
    });
  const values = model.fields.map((field): [string, unknown] => {
    const parsed = parseValue(field, Object.hasOwn(given, field.key) ? given[field.key] : null, languages);
    issues.push(...parsed.issues.map((issue) => below(`values.${field.key}`, issue)));
    return [field.key, parsed.value];
  });
  return { values: Object.fromEntries(values), issues };
}

function parseValue(field: Field, given: unknown, languages: readonly string[]): { value: unknown; issues: Issue[] } {
  const checked = checkValue(field, given, languages);
  if ('issues' in checked) return { value: null, issues: checked.issues };
  const value = field.localized && isObject(checked.value) ? withoutNulls(checked.value) : checked.value;
  return { value, issues: field.required && !hasValue(field, value) ? [requiredIssue] : [] };
}

/** Says of every related record that there is none, yet; a warning, since it may be imported later. */
export async function absentTargets(values: JsonObject, model: Model, known: KnownRecords): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const { key, relation } of model.fields) {
    if (!relation) continue;
    const modelId = relatedModelId(relation);
    for (const id of Object.hasOwn(values, key) ? [values[key]].flat() : []) {
      if (typeof id !== 'string') continue;
      const isThere = modelId === undefined ? known.has('menuProduct', id) : known.hasEntry(modelId, id);
      if (await isThere) continue;
      const message = `Must be of ${relation.to} to be shown; there is no ${id} yet.`;
      issues.push({ path: `values.${key}`, code: 'not_found', message });
    }
  }
  return issues;
}

/** An issue of a part, with its path in the whole. */
export const below = (path: string, issue: Issue): Issue => ({
  ...issue,
  path: issue.path === '' ? path : `${path}.${issue.path}`,
});

const withoutNulls = (localized: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(localized).filter(([, text]) => text !== null));
