import { type CutText, columnTextMax, type Scalar } from '#lib/domain/cms/cells.ts';
import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { columnsOf, kindOf, type ValueKind } from '#lib/domain/cms/columns.ts';
import { systemFields } from '#lib/domain/cms/field-names.ts';
import type { Issue, IssueCode } from '#lib/domain/input.ts';
import { isBlank } from '#lib/domain/text/blank.ts';
import { isDay } from '#lib/domain/text/calendar.ts';
import { longerThan } from '#lib/domain/text/code-points.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { normalized } from '#lib/domain/text/normal-form.ts';
import { type TextForm, textForms } from '#lib/domain/text/text-forms.ts';
import { compareInstants, type Instant, plainTime, queryTimes, storedInstant } from '#lib/domain/text/utc-time.ts';
import { type Visibility, visibleFields } from '../visibility.ts';

export interface Filterable {
  readonly key: string;
  readonly kind: ValueKind;
  readonly localized: boolean;
  /** Of a text whose values all have one form, such as an e-mail address. */
  readonly form?: TextForm | undefined;
}

type UnusableReason = 'unknown_field' | 'not_filterable';

type SystemField = (typeof systemFields)[number];

const systemKinds: Readonly<Record<SystemField, ValueKind>> = {
  id: 'id',
  published: 'boolean',
  createdAt: 'stamp',
  updatedAt: 'stamp',
};

/** A database may have hundreds of fields. */
const namesMax = 20;

/** The fields by which a caller may filter and sort a database (lib/spec/additions.md section 1). */
export class FieldReferences {
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #columns: ReadonlySet<Field>;

  /** A hidden field is treated as unknown, unless the caller sees it. */
  constructor(model: Model, visibility: Visibility) {
    this.#fields = new Map(visibleFields(model, visibility).map((field) => [field.key, field]));
    this.#columns = new Set(columnsOf(model));
  }

  /** @param isUsable `isFilterable` or `isSortable` */
  find(name: string, isUsable: (field: Field) => boolean): Filterable | UnusableReason {
    if (isSystemField(name)) return { key: name, kind: systemKinds[name], localized: false };
    const field = this.#fields.get(name);
    if (!field) return 'unknown_field';
    const kind = kindOf(field);
    if (!kind || !this.#columns.has(field) || !isUsable(field)) return 'not_filterable';
    const forms: Partial<Record<Field['type'], TextForm>> = textForms;
    return { key: name, kind, localized: field.localized, form: forms[field.type] };
  }

  /** The first names that `find` finds, as words for a message. */
  names(isUsable: (field: Field) => boolean): string {
    const all = [...systemFields, ...this.#fields.keys()];
    const names = all.filter((name) => typeof this.find(name, isUsable) === 'object');
    const others = names.length - namesMax;
    return `${names.slice(0, namesMax).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  }
}

const isSystemField = (name: string): name is SystemField => (systemFields as readonly string[]).includes(name);

/** A column value in the form for a test, made once for each distinct value. */
export type ComparableValue = Scalar | Instant;

/** Compares a column value. It is not called for entries without a value. */
export interface ComparingTest {
  /** Whether it compares the value itself, or the point in time that the value names. */
  readonly of: 'value' | 'instant';
  readonly passes: (value: ComparableValue) => boolean;
}

/** Looks for a folded text in the folded column value. */
interface ContainingTest {
  readonly piece: string;
}

export type ValueTest = ComparingTest | ContainingTest;

export const comparisons = {
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
} as const;
export type Comparison = keyof typeof comparisons;

/** The issue of a value or of a parameter, without its path. */
export type Refused = { readonly issue: Pick<Issue, 'code' | 'message'> };
export const refused = (code: IssueCode, message: string): Refused => ({ issue: { code, message } });

type ReadTest<Test extends ValueTest> = { readonly test: Test } | Refused;

const numberPattern = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Reads a filter's value by the type of the field, for a test for equality (lib/spec/additions.md section 1). */
export function equals({ kind, form }: Pick<Filterable, 'kind' | 'form'>, text: string): ReadTest<ComparingTest> {
  switch (kind) {
    case 'choice':
      return isTooLong(text) ? tooLong : plain((value) => value === normalized(text));
    case 'text':
      if (isTooLong(text)) return tooLong;
      return form ? equalsInForm(form, text) : plain((value) => value === text);
    case 'choices':
      return isTooLong(text) ? tooLong : plain((value) => (value as readonly string[]).includes(normalized(text)));
    case 'boolean':
      if (text !== 'true' && text !== 'false') return malformed('Must be true or false.');
      return plain((value) => value === (text === 'true'));
    case 'id':
    case 'ids':
      if (!isRecordId(text)) return malformed('Must be the id of a record.');
      return plain((value) => (kind === 'id' ? value === text : (value as readonly string[]).includes(text)));
    default:
      return compares(kind, text, (order) => order === 0);
  }
}

function equalsInForm({ read, message }: TextForm, text: string): ReadTest<ComparingTest> {
  const stored = read(text);
  return stored === undefined ? malformed(message) : plain((value) => value === stored);
}

/** @param holds decides by the comparison of a column value with the filter's: negative for less, positive for more */
export function compares(kind: ValueKind, text: string, holds: (order: number) => boolean): ReadTest<ComparingTest> {
  if (kind === 'number') {
    const number = numberPattern.test(text) ? Number(text) : Number.NaN;
    const isLost = number === 0 && /[1-9]/.test(text.split(/e/i)[0] ?? '');
    if (!Number.isFinite(number) || isLost) return malformed('Must be a JSON number such as -5, 2.5 or 1e6.');
    return plain((value) => holds((value as number) - number));
  }
  if (kind === 'day') {
    if (!isDay(text)) return malformed('Must be a day such as 2026-01-31.');
    return plain((value) => holds(value < text ? -1 : Number(value > text)));
  }
  const instant = instantOf(text);
  if (!instant) return malformed(`Must be a day, or a time with its zone such as ${queryTimes}.`);
  if (kind === 'moment') {
    return { test: { of: 'instant', passes: (value) => holds(compareInstants(value as Instant, instant)) } };
  }
  // All time stamps have one form, so they compare as strings.
  const bound = stampOf(instant.milliseconds);
  const below = instant.rest === '' ? 0 : -1;
  return plain((value) => holds(value < bound ? -1 : value > bound ? 1 : below));
}

/** For a year without four digits, a string below or above all time stamps. */
function stampOf(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  if (text.length === 24) return text;
  return text.startsWith('-') ? '' : '~';
}

export function contains({ form }: Pick<Filterable, 'form'>, text: string): ReadTest<ContainingTest> {
  return isTooLong(text) ? tooLong : { test: { piece: foldText(form?.piece?.(text) ?? text) } };
}

/** A blank text is no value. */
export const hasContent = (value: ComparableValue): boolean => typeof value !== 'string' || !isBlank(value);

const plain = (passes: ComparingTest['passes']): ReadTest<ComparingTest> => ({ test: { of: 'value', passes } });

export const textOf = (value: Scalar): string => (typeof value === 'object' ? (value as CutText).cut : String(value));

const isTooLong = (text: string): boolean => longerThan(text, columnTextMax);
const tooLong = refused('max_length', `Must be at most ${columnTextMax} characters.`);
const malformed = (message: string): Refused => refused('format', message);

/** Reads an RFC 3339 time, or the first instant of a day in UTC. @returns undefined for any other string */
function instantOf(text: string): Instant | undefined {
  if (isDay(text)) return { milliseconds: Date.parse(`${text}T00:00:00Z`), rest: '' };
  const plain = plainTime(text);
  return plain === undefined ? undefined : storedInstant(plain);
}
