import { type Answer, type AnsweredFile, fileText } from '#lib/domain/forms/form-response.ts';
import type { FormField } from '#lib/domain/forms/form-view.ts';
import type { Localized } from '#lib/domain/text/localized.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { firstCharacters, plainLine, plainLines, shortened } from './plain-text.ts';
import { type Words, wordsIn } from './words.ts';

const answerCharactersMax = 10_000;
const titleCharactersMax = 200;

/** An answer in a mail, for both parts. */
export interface ShownAnswer {
  /** One line. */
  readonly title: string;
  /** Each value is a text or an option's label, in lines. */
  readonly values: readonly (readonly string[])[];
  /** The length of the whole answer, in words, if only its beginning is shown. */
  readonly note: string | undefined;
}

/** @param languages in order of preference @returns undefined if no language has a non-blank text */
export function textIn(localized: Localized, languages: readonly string[]): string | undefined {
  const inOrder = [...languages, ...Object.keys(localized)].filter((language) => Object.hasOwn(localized, language));
  const texts = inOrder.map((language) => plainLine(localized[language] ?? ''));
  return texts.find((text) => text !== '');
}

/**
 * @param field undefined if it was removed from the form
 * @param files of an answer to a FILE field, in the order of its ids
 */
export function shownAnswer(
  ref: string,
  answer: Answer,
  field: FormField | undefined,
  languages: readonly string[],
  files?: readonly AnsweredFile[],
): ShownAnswer {
  const words = wordsIn(languages[0]);
  const options = field?.validations.options ?? [];
  const labelled = (value: string): string => {
    if (field?.type === 'EMAIL') return shownEmail(value);
    const label = textIn(options.find((option) => option.value === value)?.label ?? {}, languages);
    return label === undefined || label === value ? value : `${label} (${value})`;
  };
  const texts =
    files?.map(fileText) ?? (Array.isArray(answer) ? answer.map(labelled) : [labelled(written(answer, words))]);
  const length = texts.reduce((sum, text) => sum + charactersOf(text), 0);
  const isCut = length > answerCharactersMax;
  return {
    title: shortened(textIn(field?.title ?? {}, languages) ?? ref, titleCharactersMax),
    values: (isCut ? beginningOf(texts) : texts).map(plainLines),
    note: isCut ? words.cut(length) : undefined,
  };
}

function written(answer: string | number | boolean, { yes, no }: Words): string {
  if (typeof answer === 'boolean') return answer ? yes : no;
  return String(answer);
}

function beginningOf(texts: readonly string[]): string[] {
  const shown: string[] = [];
  let room = answerCharactersMax;
  for (const text of texts) {
    if (room <= 0) break;
    const characters = firstCharacters(text, room);
    shown.push(characters.join(''));
    room -= characters.length;
  }
  return shown;
}

const charactersOf = (text: string): number => [...text].length;
