import { type Issue, type IssueCode, isObject, type JsonObject } from '../input.ts';
import { newerRule, rule } from '../schema-rules.ts';
import { isDateTime, isDay, isTimeOfDay } from '../text/calendar.ts';
import { emailCharactersMax } from '../text/email-address.ts';
import { compareMoments } from '../text/moment.ts';
import { phoneCharactersMax } from '../text/text-forms.ts';
import { type FormField, FormFieldType, Validations } from './form-view.ts';

/** The longest answer that is matched against a pattern, in characters (lib/spec/decisions.md section 5). */
export const matchedCharactersMax = 1_000;
/** Bounded, because each id is looked up. */
export const filesPerAnswerMax = 20;

const ofText = ['minLength', 'maxLength', 'pattern'];
const ofNumbers = ['min', 'max', 'step'];
const ofMoments = ['minDate', 'maxDate'];
const ofLists = ['minItems', 'maxItems'];

/** The validations of each field type, besides `required`. */
export const applicableValidations: Record<FormFieldType, readonly string[]> = {
  TEXT: ofText,
  TEXTAREA: ofText,
  EMAIL: ofText,
  PHONE: ofText,
  URL: ofText,
  HIDDEN: ofText,
  NUMBER: ofNumbers,
  RATING: ofNumbers,
  DATE: ofMoments,
  TIME: ofMoments,
  DATETIME: ofMoments,
  SELECT: ['options'],
  RADIO: ['options'],
  MULTI_SELECT: ['options', ...ofLists],
  FILE: ofLists,
  CHECKBOX: [],
  CONSENT: [],
};

export interface MomentForm {
  readonly isRight: (text: string) => boolean;
  readonly message: string;
}

/** The form of the answers to fields for days and times, and of their bounds. */
export const momentForms = {
  DATE: { isRight: isDay, message: 'Must be a day such as 2026-01-31.' },
  TIME: { isRight: isTimeOfDay, message: 'Must be a time such as 09:30.' },
  DATETIME: {
    isRight: (text) => isDateTime(text, 'zone optional'),
    message: 'Must be a day and time such as 2026-01-31T09:30, with or without a zone.',
  },
} satisfies Partial<Record<FormFieldType, MomentForm>>;

const momentForm = (type: unknown) => Object.entries(momentForms).find(([name]) => name === type)?.[1];

/** The longest answers of a type, in characters. */
const charactersMax: Partial<Record<FormFieldType, number>> = { EMAIL: emailCharactersMax, PHONE: phoneCharactersMax };

/** The type and the validations of a field that may be malformed. */
function partsOf(field: unknown): { type?: FormFieldType | undefined; validations: JsonObject } {
  const { type, validations } = isObject(field) ? field : {};
  return {
    type: FormFieldType.options.find((name) => name === type),
    validations: isObject(validations) ? validations : {},
  };
}

function misplacedValidations(field: unknown): Issue[] {
  const { type, validations } = partsOf(field);
  if (type === undefined) return [];
  return Object.keys(Validations.shape)
    .filter((name) => name in validations && !['required', 'message', ...applicableValidations[type]].includes(name))
    .map((name) => issueAt(name, 'not_allowed', `Must be absent: it does not apply to fields of type ${type}.`));
}

function malformedMoments(field: unknown): Issue[] {
  const { type, validations } = partsOf(field);
  const form = momentForm(type);
  return ofMoments.flatMap((name) => {
    const moment = validations[name];
    return form && typeof moment === 'string' && !form.isRight(moment) ? issueAt(name, 'format', form.message) : [];
  });
}

/** Bounds that no answer can meet (lib/spec/additions.md section 9, "Bounds that contradict"). */
function unmeetableBounds(field: unknown): Issue[] {
  const { type, validations } = partsOf(field);
  if (type === undefined) return [];
  const { required, pattern, options } = validations;
  const characters = Math.min(charactersMax[type] ?? Infinity, pattern === undefined ? Infinity : matchedCharactersMax);
  const items = type === 'FILE' ? filesPerAnswerMax : Array.isArray(options) ? options.length : Infinity;
  const isChoice = applicableValidations[type].includes('options');
  return [
    ...unmeetableRange(validations, 'minLength', 'maxLength', characters),
    ...unmeetableRange(validations, 'min', 'max', Infinity),
    ...(isChoice && required === true && (options === undefined || items === 0)
      ? [issueAt('options', 'required', 'Is required: the choice must be made, and there is nothing to choose.')]
      : unmeetableRange(validations, 'minItems', 'maxItems', items)),
    ...unmeetableMoments(validations, type),
  ];
}

function unmeetableRange(validations: JsonObject, lower: string, upper: string, most: number): Issue[] {
  const { [lower]: least, [upper]: limit, required } = validations;
  const highest = Math.min(typeof limit === 'number' ? limit : Infinity, most);
  if (typeof least === 'number' && least > highest)
    return [issueAt(lower, 'not_allowed', `Must be at most ${highest}, or no answer is allowed.`)];
  if (upper === 'max' || limit !== 0 || required !== true) return [];
  return [issueAt(upper, 'not_allowed', 'Must be at least 1, because an answer is required.')];
}

/** A time of day may begin before midnight and end after it. */
function unmeetableMoments({ minDate, maxDate }: JsonObject, type: FormFieldType): Issue[] {
  const form = momentForm(type);
  if (!form || type === 'TIME' || typeof minDate !== 'string' || typeof maxDate !== 'string') return [];
  if (!form.isRight(minDate) || !form.isRight(maxDate) || compareMoments(minDate, maxDate) <= 0) return [];
  return [issueAt('minDate', 'not_allowed', `Must be ${maxDate} or earlier, or no answer is allowed.`)];
}

const issueAt = (name: string, code: IssueCode, message: string): Issue => ({
  path: `validations.${name}`,
  code,
  message,
});

/** The issues of each field of a list. */
const ofEach =
  (find: (field: unknown) => Issue[]) =>
  (fields: unknown): Issue[] =>
    (Array.isArray(fields) ? fields : []).flatMap((field, index) =>
      find(field).map((issue) => ({ ...issue, path: `${index}.${issue.path}` })),
    );

/** The rules of the fields of a stored form, for their list. */
export const fieldRules = () => [
  rule<FormField[]>(ofEach(misplacedValidations)),
  newerRule<FormField[]>(ofEach(malformedMoments)),
  newerRule<FormField[]>(ofEach(unmeetableBounds)),
];
