import type { FormField } from '#lib/domain/forms/form-view.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import type { ShownResponse } from './types.ts';

interface Words {
  readonly localized: (text: FormField['title']) => string;
  readonly locale: string;
  readonly yes: string;
  readonly no: string;
}

/** An answer as text, with labels of choices and names of files; empty without an answer. */
export function answerText({ ref, type, validations }: FormField, response: ShownResponse, words: Words): string {
  const answer = response.answers[ref];
  const files = response.files[ref];
  if (answer === undefined) return '';
  if (files) return files.map(({ id, name }) => name ?? id).join(', ');
  if (typeof answer === 'boolean') return answer ? words.yes : words.no;
  if (typeof answer === 'string' && type === 'EMAIL') return shownEmail(answer);
  if (typeof answer === 'number') return answer.toLocaleString(words.locale, { maximumFractionDigits: 20 });
  const labelOf = (value: string): string => {
    const option = validations.options?.find((candidate) => candidate.value === value);
    return (option && words.localized(option.label)) || value;
  };
  return [answer].flat().map(labelOf).join(', ');
}

/** The answers to questions that were removed from the form. */
export const otherAnswers = (fields: readonly FormField[], { answers }: ShownResponse) =>
  Object.entries(answers).filter(([ref]) => !fields.some((field) => field.ref === ref));
