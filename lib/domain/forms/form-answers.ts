import * as z from 'zod/mini';
import { type Issue, type IssueCode, isListOfText, isObject } from '../input.ts';
import { isBlank } from '../text/blank.ts';
import { forbiddenNames } from '../text/forbidden-names.ts';
import { isRecordId } from '../text/identifier.ts';
import { jsonIssues } from '../text/json-value.ts';
import { normalized } from '../text/normal-form.ts';
import { type TextForm, textForms } from '../text/text-forms.ts';
import { trimmedText, typedText } from '../text/typed-text.ts';
import { boundIssues, type PatternTest } from './form-answer-bounds.ts';
import { filesPerAnswerMax, type MomentForm, momentForms } from './form-field-rules.ts';
import type { Answer } from './form-response.ts';
import type { FormField, FormFieldType } from './form-view.ts';

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

/** The answer in stored form, and its issues. It is absent without an answer that can be stored. */
interface ReadAnswer {
  readonly answer?: Answer;
  readonly issues: readonly Issue[];
}

type AnswerType = (given: unknown) => ReadAnswer;

const arabicPoint = '\u066b';
const numberPattern = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The parser of each field type's answers (lib/spec/decisions.md section 5). */
const answerTypes: Record<FormFieldType, AnswerType> = {
  TEXT: text,
  TEXTAREA: text,
  HIDDEN: text,
  EMAIL: inForm(textForms.email),
  PHONE: inForm(textForms.phone),
  URL: inForm(textForms.url),
  NUMBER: number,
  RATING: number,
  DATE: moment(momentForms.DATE),
  TIME: moment(momentForms.TIME),
  DATETIME: moment(momentForms.DATETIME),
  SELECT: choice,
  RADIO: choice,
  MULTI_SELECT: (value) =>
    isListOfText(value) ? list(value.map((item) => normalized(item))) : refused('type', 'Must be an array of strings.'),
  CHECKBOX: booleanAnswer,
  CONSENT: booleanAnswer,
  FILE: files,
};

/** Options are compared in NFC. */
function choice(value: unknown): ReadAnswer {
  return text(typeof value === 'string' ? normalized(value) : value);
}

function text(value: unknown): ReadAnswer {
  if (typeof value !== 'string') return refused('type', 'Must be a string.');
  const [unsafe] = jsonIssues(value, 0);
  return unsafe ? refused(unsafe.code, unsafe.message) : accepted(value);
}

function moment({ isRight, message }: MomentForm): AnswerType {
  return (value) => {
    const read = text(typeof value === 'string' ? typedText(value) : value);
    if (typeof read.answer !== 'string' || isRight(read.answer)) return read;
    return refused('format', message);
  };
}

/** Returns the answer with its issue, so that length bounds are checked as well. */
function inForm(form: TextForm): AnswerType {
  return (value) => {
    const read = text(value);
    if (typeof read.answer !== 'string') return read;
    const stored = form.read(read.answer);
    if (stored !== undefined) return accepted(stored);
    return { answer: trimmedText(read.answer), issues: [issue('format', form.message)] };
  };
}

/** HTML forms send numbers as strings. */
function number(submitted: unknown): ReadAnswer {
  const typed = typeof submitted === 'string' ? typedText(submitted).replace(arabicPoint, '.') : undefined;
  const value = typed !== undefined && numberPattern.test(typed) ? Number(typed) : submitted;
  if (typeof value !== 'number') return refused('type', 'Must be a number.');
  return Number.isFinite(value)
    ? accepted(value === 0 ? 0 : value)
    : refused(value > 0 ? 'max' : 'min', 'Must be a finite double-precision number.');
}

const booleans = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['on', true],
  [false, false],
  ['false', false],
  ['off', false],
]);

function booleanAnswer(submitted: unknown): ReadAnswer {
  const value = booleans.get(submitted);
  return value === undefined ? refused('type', 'Must be true or false.') : accepted(value);
}

/** Stored as an array, even for a single id. */
function files(submitted: unknown): ReadAnswer {
  const ids = typeof submitted === 'string' ? [submitted] : submitted;
  if (!isListOfText(ids)) return refused('type', 'Must be the id of an uploaded file, or an array of such ids.');
  if (ids.length > filesPerAnswerMax) return refused('max_items', `Must be at most ${filesPerAnswerMax} files.`);
  return ids.every(isRecordId) ? list(ids) : refused('not_allowed', 'Must be ids of uploaded files.');
}

function list(items: readonly string[]): ReadAnswer {
  const [unsafe] = jsonIssues(items, 1);
  if (unsafe) return refused(unsafe.code, unsafe.message);
  const isUnique = new Set(items).size === items.length;
  return isUnique ? accepted([...items]) : refused('not_allowed', 'Must not contain duplicates.');
}

const accepted = (answer: Answer): ReadAnswer => ({ answer, issues: [] });
const issue = (code: IssueCode, message: string): Issue => ({ path: '', code, message });
const refused = (code: IssueCode, message: string): ReadAnswer => ({ issues: [issue(code, message)] });
