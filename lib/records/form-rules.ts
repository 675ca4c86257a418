import type { Issue } from '#lib/domain/issue.ts';
import { isObject, type JsonObject } from '#lib/domain/json-object.ts';
import { isDay, isTimeOfDay } from '#lib/domain/text/calendar.ts';
import { compilePattern } from '#lib/patterns/compile.ts';
import { valuesAt } from './values-at.ts';

/** The patterns of a form that cannot be matched in linear time (lib/spec/decisions.md section 5). */
export const patternIssues = (form: JsonObject): Issue[] =>
  valuesAt(form, 'fields[].validations.pattern').flatMap(({ path, value }): Issue[] => {
    const compiled = typeof value === 'string' ? compilePattern(value) : undefined;
    return compiled && 'refusal' in compiled ? [{ path, code: 'pattern', message: compiled.refusal }] : [];
  });

/** Bounds of the wrong type: a time for a date field, or a date for a time field. They would never apply. */
const idleBounds = [
  { type: 'DATE', isIdle: isTimeOfDay, message: 'Must be a day such as 2026-01-31, as the answers to the field are.' },
  { type: 'TIME', isIdle: isDay, message: 'Must be a time such as 09:30, as the answers to the field are.' },
];

/** Bounds without effect. `validations` may contain only bounds that apply (lib/spec/decisions.md section 5). */
export const idleBoundIssues = (form: JsonObject): Issue[] =>
  valuesAt(form, 'fields[]').flatMap(({ path, value: field }) => {
    const idle = isObject(field) ? idleBounds.find(({ type }) => type === field['type']) : undefined;
    if (!idle) return [];
    return ['validations.minDate', 'validations.maxDate']
      .flatMap((boundPath) => valuesAt(field, boundPath))
      .filter(({ value }) => typeof value === 'string' && idle.isIdle(value))
      .map((bound): Issue => ({ path: `${path}.${bound.path}`, code: 'format', message: idle.message }));
  });
