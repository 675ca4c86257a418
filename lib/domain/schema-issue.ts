import * as z from 'zod/mini';
import type { Issue, IssueCode } from './issue.ts';

const nouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** @returns the value, or all issues with their codes and messages (lib/spec/decisions.md section 1) */
export function parseWith<S extends z.ZodMiniType>(
  schema: S,
  input: unknown,
): { value: z.output<S>; issues?: undefined } | { value?: undefined; issues: Issue[] } {
  try {
    const parsed = z.safeParse(schema, input, { reportInput: true, error: sentenceOf });
    return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues.flatMap(issuesOf) };
  } catch (error) {
    // zod passes the issues of a property as arguments of one call.
    if (error instanceof RangeError) return { issues: [tooManyIssues] };
    throw error;
  }
}

const tooManyIssues: Issue = {
  path: '',
  code: 'too_large',
  message: 'Must have fewer mistakes: there are more than an answer can list.',
};

/** The message for an issue of a schema without its own message. */
function sentenceOf(issue: z.core.$ZodRawIssue): string {
  const missing = issue.input === undefined ? 'Is required and must' : 'Must';
  if (issue.code === 'invalid_type') return `${missing} be ${nouns[issue.expected] ?? issue.expected}.`;
  if (issue.code === 'invalid_value') return `${missing} be ${alternatives(issue.values.map(String))}.`;
  if (issue.code === 'too_big') return `Must be at most ${issue.maximum}.`;
  if (issue.code === 'too_small') return `Must be at least ${issue.minimum}.`;
  if (issue.code === 'unrecognized_keys') {
    return unknownMember(issue.inst instanceof z.ZodMiniObject ? Object.keys(issue.inst.shape) : []);
  }
  return issue.input === undefined ? 'Is required.' : 'Is not valid.';
}

/** Like `Intl.ListFormat`, whose tables take a tenth of a cold start to load. */
const alternatives = (values: readonly string[]): string =>
  values.length < 3 ? values.join(' or ') : `${values.slice(0, -1).join(', ')}, or ${values.at(-1)}`;

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const { keys, message } = issue;
    return keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, code: 'unknown_field', message }));
  }
  const inner = issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined;
  const isNewer = issue.code === 'custom' && issue.params?.['isNewer'] === true;
  return [{ path, code: codeOf(issue), message: inner ?? issue.message, ...(isNewer && { isNewer }) }];
}

export function unknownMember(members: readonly string[]): string {
  if (members.length === 0) return 'Unknown member.';
  if (members.length === 1) return `Unknown member. The only member is ${members[0]}.`;
  return `Unknown member. The members are ${members.join(', ')}.`;
}

function codeOf(issue: z.core.$ZodIssue): IssueCode {
  const isOfAnyType = issue.code !== 'custom' || issue.params?.['code'] === 'type';
  if (issue.input === undefined && isOfAnyType) return 'required';
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_union':
      return 'type';
    case 'invalid_value':
      return typeof issue.input === typeof issue.values[0] ? 'not_allowed' : 'type';
    case 'invalid_key':
      return 'not_allowed';
    case 'too_big':
      return boundCodes[issue.origin]?.max ?? 'max';
    case 'too_small':
      return boundCodes[issue.origin]?.min ?? 'min';
    case 'not_multiple_of':
      return 'step';
    case 'custom':
      return (issue.params?.['code'] as IssueCode | undefined) ?? 'format';
    default:
      return 'format';
  }
}

const boundCodes: Record<string, { max: IssueCode; min: IssueCode }> = {
  array: { max: 'max_items', min: 'min_items' },
  string: { max: 'max_length', min: 'min_length' },
};
