import { isFilterable, type ValueKind } from '#lib/domain/cms/columns.ts';
import { type Issue, withPath } from '#lib/domain/input.ts';
import { type FamilyMember, repeated } from '#lib/http/query.ts';
import { columnName } from '#lib/table/cms/column-store.ts';
import {
  type ComparingTest,
  type Comparison,
  compares,
  comparisons,
  contains,
  equals,
  type FieldReferences,
  type Filterable,
  hasContent,
  type Refused,
  refused,
  type ValueTest,
} from './field-reference.ts';

/** A condition on a row: the test passes for at least one of the columns, or for none. */
export interface Condition {
  readonly columns: readonly string[];
  readonly test: ValueTest;
  readonly isNegated: boolean;
}

export interface ReadFilter {
  readonly conditions: readonly Condition[];
  /** The same for filters with the same meaning. */
  readonly text: string;
  readonly issues: readonly Issue[];
}

const conditionsMax = 10;
const valuesMax = 50;

const operators = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'exists', 'contains'] as const;
type Operator = (typeof operators)[number];

const ordered: ReadonlySet<ValueKind> = new Set(['number', 'day', 'moment', 'stamp']);

/**
 * Reads `filter[field]=value`, `filter[field][op]=value` and `filter[field.op]=value` (lib/spec/additions.md section 1).
 * @param languages the languages in which a localized field is compared
 */
export function readFilter(
  members: readonly FamilyMember[],
  references: FieldReferences,
  languages: readonly string[],
): ReadFilter {
  const issues: Issue[] = [];
  const conditions: Condition[] = [];
  const texts = new Map<string, string>();
  for (const { name, values } of members.slice(0, conditionsMax)) {
    const read = readMember(name, values, references, languages);
    if ('issue' in read) issues.push(withPath({ path: name, ...read.issue }));
    else if (texts.has(read.key)) issues.push(withPath({ path: name, ...repeated }));
    else {
      if (read.condition) conditions.push(read.condition);
      texts.set(read.key, read.text);
    }
  }
  const surplus = members[conditionsMax];
  if (surplus) {
    const message = `A list takes at most ${conditionsMax} conditions.`;
    issues.push(withPath({ path: surplus.name, code: 'max_items', message }));
  }
  return { conditions, text: JSON.stringify([...texts.values()].sort()), issues };
}

interface ReadMember {
  /** Undefined if every entry passes. */
  readonly condition: Condition | undefined;
  /** Field and operator. */
  readonly key: string;
  readonly text: string;
}

function readMember(
  parameter: string,
  values: readonly string[],
  references: FieldReferences,
  languages: readonly string[],
): ReadMember | Refused {
  const { name, operator } = partsOf(parameter);
  if (name === '' || operator === '') {
    return refused('syntax', 'Must be named filter[field], filter[field.operator] or filter[field][operator].');
  }
  if (!isOperator(operator)) {
    return refused('not_allowed', `Must have one of the operators ${operators.join(', ')}.`);
  }
  if (operator !== 'in' && values.length > 1) return { issue: repeated };
  const field = references.find(name, isFilterable);
  if (field === 'unknown_field') {
    return refused(field, `Must name one of the fields ${references.names(isFilterable)}.`);
  }
  if (field === 'not_filterable' || !takes(field, operator)) {
    return refused('not_filterable', `This field cannot be filtered${operator === 'eq' ? '' : ` with ${operator}`}.`);
  }
  const wanted = operator === 'in' ? listed(values) : values;
  const read = operator === 'in' ? readList(field, wanted) : readTest(field, operator, values[0] ?? '');
  if ('issue' in read) return read;
  const columns = field.localized ? languages.map((language) => columnName(field.key, language)) : [field.key];
  const isNegated = operator === 'ne' || (operator === 'exists' && values[0] === 'false');
  const condition = read.test && { columns, test: read.test, isNegated };
  return { condition, key: `${name}.${operator}`, text: JSON.stringify([name, operator, ...wanted]) };
}

const parameterPattern = /^filter\[([^[\]]+)\](?:\[([^[\]]+)\])?(\[\])?$/;

/** Many clients write the name of a list with `[]` at its end. The flat spelling is the one that OpenAPI defines, as a `deepObject`. The key of a field has no dot. */
function partsOf(parameter: string): { readonly name: string; readonly operator: string } {
  const [, first = '', second, list] = parameterPattern.exec(parameter) ?? [];
  const dot = first.lastIndexOf('.');
  const isFlat = second === undefined && dot !== -1;
  const operator = isFlat ? first.slice(dot + 1) : (second ?? 'eq');
  if (list !== undefined && operator !== 'in') return { name: '', operator: '' };
  return { name: isFlat ? first.slice(0, dot) : first, operator };
}

/** The values of `in`: several parameters, or one list with commas. Equal and empty values are dropped. */
function listed(values: readonly string[]): readonly string[] {
  const [first = '', ...others] = values;
  const items = others.length > 0 ? values : first.split(/(?<!\\),/).map((item) => item.trim().replaceAll('\\,', ','));
  return [...new Set(items)].filter((item) => item !== '').sort();
}

const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text);

function takes({ kind }: Filterable, operator: Operator): boolean {
  if (operator in comparisons) return ordered.has(kind);
  return operator !== 'contains' || kind === 'text';
}

function readTest(field: Filterable, operator: Operator, value: string): { readonly test: ValueTest } | Refused {
  if (operator === 'exists') {
    if (value !== 'true' && value !== 'false') return refused('format', 'Must be true or false.');
    return { test: { of: 'value', passes: hasContent } };
  }
  if (operator in comparisons) return compares(field.kind, value, comparisons[operator as Comparison]);
  return operator === 'contains' ? contains(field, value) : equals(field, value);
}

/** Without values, no test: an empty parameter is no condition. */
function readList(field: Filterable, values: readonly string[]): { readonly test: ValueTest | undefined } | Refused {
  if (values.length > valuesMax) return refused('max_items', `Must be at most ${valuesMax} values.`);
  const reads = values.map((value) => equals(field, value));
  const wrong = reads.find((read) => 'issue' in read);
  if (wrong && 'issue' in wrong) return wrong;
  const tests = reads.flatMap((read) => ('test' in read ? [read.test] : []));
  const [first] = tests;
  const passes: ComparingTest['passes'] = (value) => tests.some((test) => test.passes(value));
  return { test: first && { of: first.of, passes } };
}
