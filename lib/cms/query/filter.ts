import type { Issue, IssueCode } from '#lib/domain/issue.ts';
import type { FamilyMember } from '#lib/http/query.ts';
import { columnName } from '#lib/table/cms/column-store.ts';
import type { FieldReferences, Filterable, ValueKind } from './field-reference.ts';
import {
  type ComparingTest,
  type Comparison,
  compares,
  comparisons,
  contains,
  equals,
  hasContent,
  type ValueTest,
} from './filter-value.ts';

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

const parameterPattern = /^filter\[([^[\]]+)\](?:\[([^[\]]+)\])?$/;
const ordered: ReadonlySet<ValueKind> = new Set(['number', 'day', 'moment', 'stamp']);

/**
 * Reads `filter[field]=value` and `filter[field][op]=value` (lib/spec/additions.md section 1).
 * @param languages the languages in which a localized field is compared
 * @returns the conditions, and all issues, each at the name of its parameter
 */
export function readFilter(
  members: readonly FamilyMember[],
  references: FieldReferences,
  languages: readonly string[],
): ReadFilter {
  const issues: Issue[] = [];
  const conditions: Condition[] = [];
  const texts: string[] = [];
  for (const { name, value } of members.slice(0, conditionsMax)) {
    const read = readMember(name, value, references, languages);
    if ('issue' in read) issues.push({ path: name, ...read.issue, message: `${name}: ${read.issue.message}` });
    else {
      if (read.condition) conditions.push(read.condition);
      texts.push(read.text);
    }
  }
  const surplus = members[conditionsMax];
  if (surplus) issues.push(issueAt(surplus.name, 'max_items', `A list takes at most ${conditionsMax} conditions.`));
  return { conditions, text: JSON.stringify(texts.sort()), issues };
}

const issueAt = (path: string, code: IssueCode, message: string): Issue => ({
  path,
  code,
  message: `${path}: ${message}`,
});

type Refused = { readonly issue: Pick<Issue, 'code' | 'message'> };
type ReadMember = { readonly condition: Condition | undefined; readonly text: string } | Refused;

function readMember(
  parameter: string,
  value: string,
  references: FieldReferences,
  languages: readonly string[],
): ReadMember {
  const [, name = '', operator = 'eq'] = parameterPattern.exec(parameter) ?? [];
  if (name === '') return refused('syntax', 'Must be named filter[field] or filter[field][operator].');
  if (!isOperator(operator)) {
    return refused('not_allowed', `Must have one of the operators ${operators.join(', ')}.`);
  }
  const field = references.filterable(name);
  if (field === 'unknown_field') return refused(field, 'There is no such field.');
  if (field === 'not_filterable' || !takes(field, operator)) {
    return refused('not_filterable', `This field cannot be filtered${operator === 'eq' ? '' : ` with ${operator}`}.`);
  }
  const read = readTest(field, operator, value);
  if ('issue' in read) return read;
  const columns = field.localized ? languages.map((language) => columnName(field.key, language)) : [field.key];
  const condition = read.test && { columns, test: read.test, isNegated: read.isNegated };
  return { condition, text: JSON.stringify([name, operator, value]) };
}

const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text);

function takes({ kind }: Filterable, operator: Operator): boolean {
  if (operator in comparisons) return ordered.has(kind);
  return operator !== 'contains' || kind === 'text';
}

function readTest(
  field: Filterable,
  operator: Operator,
  value: string,
): { readonly test: ValueTest | undefined; readonly isNegated: boolean } | Refused {
  if (operator === 'exists') {
    if (value !== 'true' && value !== 'false') return refused('format', 'Must be true or false.');
    return { test: { conversion: 'plain', passes: hasContent }, isNegated: value === 'false' };
  }
  if (operator === 'in') return readList(field, value);
  const isComparison = operator in comparisons;
  const read = isComparison
    ? compares(field.kind, value, comparisons[operator as Comparison])
    : operator === 'contains'
      ? contains(field, value)
      : equals(field, value);
  return 'issue' in read ? read : { test: read.test, isNegated: operator === 'ne' };
}

/** Trims the values of a list and drops empty ones (lib/spec/decisions.md section 1). */
function readList(
  field: Filterable,
  text: string,
): { readonly test: ValueTest | undefined; isNegated: false } | Refused {
  const values = [...new Set(text.split(',').flatMap((value) => value.trim() || []))];
  if (values.length > valuesMax) return refused('max_items', `Must be at most ${valuesMax} values.`);
  const reads = values.map((value) => equals(field, value));
  const wrong = reads.find((read) => 'issue' in read);
  if (wrong && 'issue' in wrong) return wrong;
  const tests = reads.flatMap((read) => ('test' in read ? [read.test] : []));
  const [first] = tests;
  const passes: ComparingTest['passes'] = (value) => tests.some((test) => test.passes(value));
  return { test: first && { conversion: first.conversion, passes }, isNegated: false };
}

const refused = (code: IssueCode, message: string): Refused => ({ issue: { code, message } });
