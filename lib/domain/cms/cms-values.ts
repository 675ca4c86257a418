import * as z from 'zod/mini';
import { Image } from '../files/image.ts';
import { type Issue, type IssueCode, isListOfText, isObject, optionsInWords } from '../input.ts';
import { parseStorable } from '../schema-rules.ts';
import { isBlank } from '../text/blank.ts';
import { isDateTime, isDay } from '../text/calendar.ts';
import { isRecordId } from '../text/identifier.ts';
import { jsonIssues } from '../text/json-value.ts';
import { repeatedLanguages } from '../text/localized.ts';
import { normalized } from '../text/normal-form.ts';
import { type TextForm, textForms } from '../text/text-forms.ts';
import { spelledTexts, unknownLanguages } from '../text/workspace-languages.ts';
import type { Field, FieldType } from './cms-model.ts';

/**
 * Checks one value of a CMS field, for updates and imports (lib/spec/decisions.md section 3, "PATCH and PUT"). The
 * paths of issues are '' or a language. `null` clears a field or a language, and stays in the result. The caller checks
 * that related records exist, and calls `hasValue`, because a localized value is merged into the stored one.
 */
export function checkValue(field: Field, value: unknown, languages: readonly string[]): CheckedValue {
  if (value === null) return { value };
  if (field.localized) return valueRules.localized(value, { field, languages });
  return valueRules[field.type](value, { field, languages });
}

/**
 * True if a stored value satisfies a required field (lib/spec/decisions.md section 3). Blank text, `[]` and texts that
 * are blank in every language do not; 0 and false do.
 */
export function hasValue(field: Field, value: unknown): boolean {
  if (value === null || value === undefined || isEmpty(value)) return false;
  if (field.type === 'json') return !isEmpty(JSON.parse(String(value)));
  if (!field.localized || typeof value !== 'object') return true;
  return Object.values(value).some((text) => typeof text === 'string' && !isBlank(text));
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'string' ? isBlank(value) : Array.isArray(value) && value.length === 0;

/** A value in stored form, or all its issues. Beside issues by newer rules alone, it also has the stored form. */
type CheckedValue = { readonly value: unknown } | { readonly issues: Issue[]; readonly value?: unknown };

interface Context {
  readonly field: Field;
  readonly languages: readonly string[];
}
type ValueRule = (value: unknown, context: Context) => CheckedValue;

const relatedIdsMax = 1_000;
const jsonLevelsMax = 30;
/** An entry cannot hold more: an image takes at least 32 bytes of a record's 350 KB. */
const imagesMax = 11_000;

/** The issue of a required field without a value. */
export const requiredIssue: Issue = { path: '', code: 'required', message: 'Is required.' };

/** The check of each type of a CMS field (lib/spec/decisions.md section 3, "PATCH and PUT"). */
const valueRules: Record<FieldType | 'localized', ValueRule> = {
  localized: (value, { languages }) => {
    if (!isObject(value)) {
      return refused('type', 'Must be an object of language to text, such as { "en": "Saffron" }.');
    }
    const unknown = new Map(unknownLanguages(value, languages).map((issue) => [issue.path, issue]));
    const issues = Object.entries(value).flatMap(
      ([language, text]) => unknown.get(language) ?? textIssues(language, text),
    );
    return withIssues([...issues, ...repeatedLanguages(value)], () => spelledTexts(value, languages));
  },
  text,
  longText: text,
  richText: text,
  number: (value) => {
    if (typeof value !== 'number' || Number.isNaN(value)) return refused('type', 'Must be a number.');
    const magnitude = Math.abs(value);
    if (magnitude > 1e100) return refused('max', 'Must be a number from -1e100 to 1e100.');
    if (magnitude > 0 && magnitude < 1e-100) return refused('min', 'Must be 0 or have a magnitude of at least 1e-100.');
    return { value: value === 0 ? 0 : value };
  },
  boolean: (value) => (typeof value === 'boolean' ? { value } : refused('type', 'Must be true or false.')),
  date: formatted(isDay, 'Must be a day such as 2026-01-31.'),
  datetime: formatted(
    (time) => isDateTime(time, 'with zone'),
    'Must be a day and time with a zone such as 2026-01-31T09:30:00+03:00.',
  ),
  email: inForm(textForms.email),
  url: inForm(textForms.url),
  phone: inForm(textForms.phone),
  select: (value, context) => {
    if (typeof value !== 'string') return refused('type', 'Must be the value of one of the options.');
    if (isBlank(value) && context.field.required) return { issues: [requiredIssue] };
    return isOption(context.field, value)
      ? { value: normalized(value) }
      : refused('not_allowed', optionsInWords(context.field.options));
  },
  multiSelect: (value, { field }) => {
    if (!isListOfText(value)) return refused('type', 'Must be an array of option values.');
    const issues: Issue[] = [];
    const named = new Set(value.map((item) => normalized(item)));
    if (![...named].every((item) => isOption(field, item)))
      issues.push(issue('not_allowed', optionsInWords(field.options)));
    if (named.size < value.length) issues.push(issue('duplicate', 'Must not contain duplicates.'));
    return issues.length > 0 ? { issues } : { value: [...named] };
  },
  json: (value) => {
    const issues = onePerCode(jsonIssues(value, jsonLevelsMax));
    return withIssues(issues, () => JSON.stringify(value));
  },
  media: (value, { field, languages }) => {
    if (Array.isArray(value) && value.length > imagesMax) return refused('too_large', 'Must be fewer images.');
    const unsafe = jsonIssues(value, jsonLevelsMax);
    if (unsafe.some(({ isNewer }) => !isNewer)) return { issues: onePerCode(unsafe) };
    const { value: parsed, issues } = parseStorable(field.many ? z.array(Image) : Image, value);
    const images = [parsed ?? []].flat();
    const unknown = images.flatMap(({ alt }) => unknownLanguages(alt ?? {}, languages));
    const all = onePerCode([...unsafe, ...issues, ...unknown]);
    if (!parsed) return { issues: all };
    const spelled = images.map((image) => ({ ...image, alt: image.alt && spelledTexts(image.alt, languages) }));
    return withIssues(all, () => (field.many ? spelled : spelled[0]));
  },
  relation: (value, { field }) => (field.relation?.many ? relatedIds(value) : relatedId(value, field)),
};

function text(value: unknown): CheckedValue {
  if (typeof value !== 'string') return refused('type', 'Must be a string.');
  return withIssues(jsonIssues(value, 0), () => value);
}

function inForm({ read, message }: TextForm): ValueRule {
  return (value, { field }) => {
    if (typeof value !== 'string') return refused('type', message);
    if (isBlank(value) && field.required) return { issues: [requiredIssue] };
    const stored = value.isWellFormed() ? read(value) : undefined;
    return stored === undefined ? refused('format', message) : { value: stored };
  };
}

function formatted(isRight: (text: string) => boolean, message: string): ValueRule {
  return inForm({ read: (text) => (isRight(text) ? text : undefined), message });
}

function textIssues(language: string, text: unknown): Issue[] {
  if (text === null) return [];
  if (typeof text !== 'string')
    return [{ path: language, code: 'type', message: 'Must be a string, or null to remove it.' }];
  return jsonIssues(text, 0, language);
}

function relatedId(value: unknown, { required: isRequired }: Field): CheckedValue {
  if (typeof value !== 'string') return refused('type', 'Must be the id of one record.');
  if (isBlank(value) && isRequired) return { issues: [requiredIssue] };
  return isRecordId(value) ? { value } : refused('format', 'Must be the id of a record.');
}

function relatedIds(value: unknown): CheckedValue {
  if (!isListOfText(value)) return refused('type', 'Must be an array of ids.');
  const issues: Issue[] = [];
  if (value.length > relatedIdsMax) issues.push(issue('max_items', `Must be at most ${relatedIdsMax} ids.`));
  if (!value.every(isRecordId)) issues.push(issue('format', 'Must be ids of records.'));
  if (new Set(value).size < value.length) issues.push(issue('duplicate', 'Must not contain duplicates.'));
  return issues.length > 0 ? { issues } : { value };
}

function isOption({ options = [] }: Field, value: string): boolean {
  const named = normalized(value);
  return options.some((option) => option.value === named);
}

/** @param storable makes the stored form; it may be called only without issues by older rules */
function withIssues(issues: Issue[], storable: () => unknown): CheckedValue {
  if (issues.length === 0) return { value: storable() };
  return issues.every(({ isNewer }) => isNewer) ? { value: storable(), issues } : { issues };
}

const issue = (code: IssueCode, message: string): Issue => ({ path: '', code, message });
const refused = (code: IssueCode, message: string): CheckedValue => ({ issues: [issue(code, message)] });

/**
 * Reports an issue inside a value for the whole value, because paths end at the field (lib/spec/decisions.md section 3).
 */
const atValue = ({ path, message, ...issue }: Issue): Issue => ({
  ...issue,
  path: '',
  message: path === '' ? message : `${path.toWellFormed().slice(0, 80)}: ${message}`,
});

/** One bad value can have a hundred thousand issues, so only the first of each code is reported. */
function onePerCode(issues: readonly Issue[]): Issue[] {
  const byCode = Map.groupBy(issues, ({ code, isNewer = false }) => `${code} ${isNewer}`);
  return [...byCode.values()].flatMap(([first]) => (first ? atValue(first) : []));
}
