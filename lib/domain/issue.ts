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
