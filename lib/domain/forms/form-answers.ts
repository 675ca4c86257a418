import * as z from 'zod/mini';
import type { Issue } from '../issue.ts';
import { isObject } from '../json-object.ts';
import { isBlank } from '../text/blank.ts';
import { forbiddenNames } from '../text/forbidden-names.ts';
import { jsonIssues } from '../text/json-value.ts';
import { boundIssues, type PatternTest } from './form-answer-bounds.ts';
import { answerTypes, type ReadAnswer } from './form-answer-types.ts';
import type { FormField } from './form-field.ts';
import type { Answer } from './form-response.ts';

/** The body of a submit (lib/spec/interface.md section 4.9). checkAnswers checks its properties against the form. */
export const SubmittedAnswers = z.custom<Record<string, unknown>>(isObject, {
  error: 'Must be an object of field ref to answer.',
  params: { code: 'type' },
});
export type SubmittedAnswers = z.infer<typeof SubmittedAnswers>;

/** The answers and metadata in stored form, and all issues. The path of an issue is the ref. */
export interface CheckedAnswers {
  readonly answers: Readonly<Record<string, Answer>>;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
}

const metaLevelsMax = 30;

/** Checks a submit against the fields of its form (lib/spec/decisions.md section 5). */
export function checkAnswers(
  fields: readonly FormField[],
  submitted: SubmittedAnswers,
  matches: PatternTest,
): CheckedAnswers {
  const values = new Map(Object.entries(submitted));
  const checked = fields.map((field) => [field.ref, checkAnswer(field, values.get(field.ref), matches)] as const);
  const meta = [...values].filter(([name]) => isMeta(name));
  return {
    answers: Object.fromEntries(checked.flatMap(([ref, { answer }]) => (answer === undefined ? [] : [[ref, answer]]))),
    meta: Object.fromEntries(meta),
    issues: [
      ...checked.flatMap(([ref, { issues }]) => issues.map((issue) => at(ref, issue))),
      ...unknownRefs(fields, values.keys()),
      ...meta.flatMap(([name, value]) => metaIssues(name, value)),
    ],
  };
}

function checkAnswer(field: FormField, value: unknown, matches: PatternTest): ReadAnswer {
  if (isNone(value)) return { issues: field.validations.required ? [required] : [] };
  const { answer, issues } = answerTypes[field.type](value);
  if (answer === undefined) return { issues };
  return { answer, issues: [...issues, ...boundIssues(field, answer, matches)] };
}

const required: Issue = { path: '', code: 'required', message: 'Is required.' };

/** `null`, blank text and `[]` are no answer. */
const isNone = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && isBlank(value)) ||
  (Array.isArray(value) && value.length === 0);

/** Names that start with `_` are metadata and never answers. */
const isMeta = (name: string): boolean => name.startsWith('_') && !forbiddenNames.has(name);

function unknownRefs(fields: readonly FormField[], names: Iterable<string>): Issue[] {
  const refs = new Set(fields.map(({ ref }) => ref));
  return [...names]
    .filter((name) => !refs.has(name) && !isMeta(name))
    .map((name) => at(name, forbiddenNames.has(name) ? forbidden : unknown));
}

const unknown: Issue = { path: '', code: 'unknown_field', message: 'Is not a field of this form.' };
const forbidden: Issue = {
  path: '',
  code: 'not_allowed',
  message: 'Must not be named __proto__, constructor or prototype.',
};

/** Reports one issue of each code, because a bad value may have a hundred thousand. */
function metaIssues(name: string, value: unknown): Issue[] {
  const issues = jsonIssues({ [name]: value }, metaLevelsMax + 1);
  return [...new Map(issues.map(({ code, message }) => [code, at(name, { path: '', code, message })])).values()];
}

const at = (ref: string, { code, message }: Issue): Issue => ({ path: ref, code, message: `${ref}: ${message}` });
