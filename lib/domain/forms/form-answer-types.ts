import type { Issue, IssueCode } from '../issue.ts';
import { isEmailAddress } from '../text/email-address.ts';
import { isRecordId } from '../text/identifier.ts';
import { isPhoneNumber } from '../text/phone-number.ts';
import { isWebAddress } from '../text/web-address.ts';
import { type FormFieldType, filesPerAnswerMax, momentForms } from './form-field.ts';
import type { Answer } from './form-response.ts';

/** The answer in stored form, and its issues. An answer of the wrong type is undefined. */
export interface ReadAnswer {
  readonly answer?: Answer;
  readonly issues: readonly Issue[];
}

type AnswerType = (given: unknown) => ReadAnswer;

const numberPattern = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The parser of each field type's answers (lib/spec/decisions.md section 5). */
export const answerTypes: Record<FormFieldType, AnswerType> = {
  TEXT: text,
  TEXTAREA: text,
  HIDDEN: text,
  EMAIL: trimmed(isEmailAddress, 'Must be an e-mail address such as lina@example.com.'),
  PHONE: trimmed(isPhoneNumber, 'Must be a phone number: 5 to 30 digits, spaces and + - ( ).'),
  URL: trimmed(isWebAddress, 'Must be a web address such as https://example.com/menu.'),
  NUMBER: number,
  RATING: number,
  DATE: formatted(momentForms.DATE),
  TIME: formatted(momentForms.TIME),
  DATETIME: formatted(momentForms.DATETIME),
  SELECT: text,
  RADIO: text,
  MULTI_SELECT: (value) => (isListOfText(value) ? list(value) : refused('type', 'Must be an array of strings.')),
  CHECKBOX: booleanAnswer,
  CONSENT: booleanAnswer,
  FILE: files,
};

function text(value: unknown): ReadAnswer {
  if (typeof value !== 'string') return refused('type', 'Must be a string.');
  return value.isWellFormed() ? accepted(value) : refused('format', 'Must be well-formed Unicode text.');
}

function formatted({ isRight, message }: (typeof momentForms)['DATE']): AnswerType {
  return (value) => {
    const read = text(value);
    if (typeof read.answer !== 'string' || isRight(read.answer)) return read;
    return refused('format', message);
  };
}

/** Returns the answer with its issue, so that length bounds are checked as well. */
function trimmed(isRight: (text: string) => boolean, sentence: string): AnswerType {
  return (value) => {
    const read = text(typeof value === 'string' ? value.trim() : value);
    if (typeof read.answer !== 'string' || isRight(read.answer)) return read;
    return { answer: read.answer, issues: [issue('format', sentence)] };
  };
}

/** HTML forms send numbers as strings. */
function number(submitted: unknown): ReadAnswer {
  const value = typeof submitted === 'string' && numberPattern.test(submitted.trim()) ? Number(submitted) : submitted;
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
  if (!items.every((item) => item.isWellFormed())) return refused('format', 'Must be well-formed Unicode strings.');
  const isUnique = new Set(items).size === items.length;
  return isUnique ? accepted([...items]) : refused('not_allowed', 'Must not contain duplicates.');
}

const isListOfText = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const accepted = (answer: Answer): ReadAnswer => ({ answer, issues: [] });
const issue = (code: IssueCode, message: string): Issue => ({ path: '', code, message });
const refused = (code: IssueCode, message: string): ReadAnswer => ({ issues: [issue(code, message)] });
