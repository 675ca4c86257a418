import { type Issue, type IssueCode, optionsInWords } from '../input.ts';
import { compareMoments } from '../text/moment.ts';
import { matchedCharactersMax } from './form-field-rules.ts';
import type { Answer } from './form-response.ts';
import type { FormField, Validations } from './form-view.ts';

/** Whether a pattern matches a whole string. The caller supplies the pattern engine. */
export type PatternTest = (pattern: string, text: string) => boolean;

/** Checks an answer of the right type against the field's validations. */
export function boundIssues({ type, validations }: FormField, answer: Answer, matches: PatternTest): Issue[] {
  if (typeof answer === 'boolean') return validations.required && !answer ? [mustBeTrue] : [];
  if (typeof answer === 'number') return numberIssues(answer, validations);
  if (typeof answer !== 'string') return listIssues(answer, validations);
  if (type === 'SELECT' || type === 'RADIO') return optionIssues([answer], validations);
  if (type === 'DATE' || type === 'TIME' || type === 'DATETIME') return momentIssues(answer, validations);
  return textIssues(answer, validations, matches);
}

const mustBeTrue: Issue = { path: '', code: 'required', message: 'Must be true, because the field is required.' };

function textIssues(text: string, { minLength, maxLength, pattern }: Validations, matches: PatternTest): Issue[] {
  // Code points, so that a character beyond the basic plane is one character.
  const characters = [...text].length;
  const most = Math.min(
    maxLength ?? Number.POSITIVE_INFINITY,
    pattern === undefined ? Number.POSITIVE_INFINITY : matchedCharactersMax,
  );
  return [
    ...when(characters < (minLength ?? 0), 'min_length', `Must be at least ${minLength} characters.`),
    ...when(characters > most, 'max_length', `Must be at most ${most} characters.`),
    ...when(
      pattern !== undefined && characters <= matchedCharactersMax && !matches(pattern, text),
      'pattern',
      'Must match the pattern of the field.',
    ),
  ];
}

function numberIssues(value: number, { min, max, step }: Validations): Issue[] {
  const start = min ?? 0;
  return [
    ...when(min !== undefined && value < min, 'min', `Must be at least ${min}.`),
    ...when(max !== undefined && value > max, 'max', `Must be at most ${max}.`),
    ...when(
      step !== undefined && !isOnStep(value, step, start),
      'step',
      step === 1 && Number.isInteger(start)
        ? 'Must be a whole number.'
        : `Must be ${start} plus a multiple of ${step}.`,
    ),
  ];
}

/** An earliest time of day after the latest one is a range across midnight (lib/spec/additions.md section 9). */
function momentIssues(moment: string, { minDate, maxDate }: Validations): Issue[] {
  const isEarly = minDate !== undefined && compareMoments(moment, minDate) < 0;
  const isLate = maxDate !== undefined && compareMoments(moment, maxDate) > 0;
  if (minDate !== undefined && maxDate !== undefined && compareMoments(minDate, maxDate) > 0)
    return when(isEarly && isLate, 'not_allowed', `Must be ${minDate} or later, or ${maxDate} or earlier.`);
  return [
    ...when(isEarly, 'min', `Must be ${minDate} or later.`),
    ...when(isLate, 'max', `Must be ${maxDate} or earlier.`),
  ];
}

function listIssues(items: readonly string[], validations: Validations): Issue[] {
  const { minItems, maxItems } = validations;
  return [
    ...optionIssues(items, validations),
    ...when(items.length < (minItems ?? 0), 'min_items', `Must be at least ${minItems} items.`),
    ...when(maxItems !== undefined && items.length > maxItems, 'max_items', `Must be at most ${maxItems} items.`),
  ];
}

function optionIssues(chosen: readonly string[], { options }: Validations): Issue[] {
  if (!options) return [];
  const values = new Set(options.map(({ value }) => value));
  return when(!chosen.every((value) => values.has(value)), 'not_allowed', optionsInWords(options));
}

const when = (isWrong: boolean, code: IssueCode, message: string): Issue[] =>
  isWrong ? [{ path: '', code, message }] : [];

/** A number as digits and a decimal exponent: 1.25 is 125 and -2. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Whether `value` is `start` plus a multiple of `step`, in decimal arithmetic: 0.3 is 3 steps of 0.1. */
export function isOnStep(value: number, step: number, start: number): boolean {
  const decimals = [value, step, start].map(decimalOf);
  const exponent = Math.min(...decimals.map((decimal) => decimal.exponent));
  const [scaledValue = 0n, scaledStep = 1n, scaledStart = 0n] = decimals.map(
    ({ digits, exponent: own }) => digits * 10n ** BigInt(own - exponent),
  );
  return (scaledValue - scaledStart) % scaledStep === 0n;
}

function decimalOf(value: number): Decimal {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
