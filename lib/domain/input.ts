import * as z from 'zod/mini';

// What an untrusted value is, and what is wrong with it.

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isListOfText = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The value if it is a string, else the empty string. Untrusted values may not be convertible. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The own value of a key, never an inherited property such as `toString`. */
export const ownValue = (values: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined;

/** The value of a JSON text, or undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The codes of issues. lib/spec/decisions.md sections 1 and 5 name the codes. */
export type IssueCode =
  | 'required'
  | 'type'
  | 'min_length'
  | 'max_length'
  | 'pattern'
  | 'format'
  | 'min'
  | 'max'
  | 'step'
  | 'not_allowed'
  | 'min_items'
  | 'max_items'
  | 'unknown_field'
  | 'not_filterable'
  | 'repeated'
  | 'syntax'
  | 'not_a_relation'
  | 'not_found'
  | 'duplicate'
  | 'too_large'
  | 'in_use';

/** One error in an input: its path, its code, and a sentence that states the rule. */
export interface Issue {
  path: string;
  code: IssueCode;
  message: string;
  /** The rule is newer than stored records that may break it (lib/spec/additions.md section 9, "Newer rules"). */
  isNewer?: true;
}

/** An issue as answers and reports have it. */
export const withoutMark = ({ isNewer, ...issue }: Issue): Issue => issue;

/** The path and the message of an issue, for readers who see only the message. */
export const messageWithPath = ({ path, message }: Pick<Issue, 'path' | 'message'>): string =>
  path === '' ? message : `${path}: ${message}`;

export const withPath = <I extends Pick<Issue, 'path' | 'message'>>(issue: I): I => ({
  ...issue,
  message: messageWithPath(issue),
});

/** The message for a value that is none of the options. It names the first ten. */
export function optionsInWords(options: readonly { readonly value: string }[] = []): string {
  const shown = options.slice(0, 10).map(({ value }) => value);
  return `Must be one of the options: ${shown.join(', ')}${options.length > shown.length ? ', ...' : ''}.`;
}

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
