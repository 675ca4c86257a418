import type { Issue, IssueCode } from '../issue.ts';
import { isListOfText } from '../json-object.ts';
import { isRecordId } from '../text/identifier.ts';
import { jsonIssues } from '../text/json-value.ts';
import { normalized } from '../text/normal-form.ts';
import { type TextForm, textForms } from '../text/text-forms.ts';
import { trimmedText, typedText } from '../text/typed-text.ts';
import type { FormFieldType } from './form-field.ts';
import { filesPerAnswerMax, type MomentForm, momentForms } from './form-field-rules.ts';
import type { Answer } from './form-response.ts';

/** The answer in stored form, and its issues. It is absent without an answer that can be stored. */
export interface ReadAnswer {
  readonly answer?: Answer;
  readonly issues: readonly Issue[];
}

type AnswerType = (given: unknown) => ReadAnswer;

const arabicPoint = '\u066b';
const numberPattern = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The parser of each field type's answers (lib/spec/decisions.md section 5). */
export const answerTypes: Record<FormFieldType, AnswerType> = {
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
