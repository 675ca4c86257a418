import { foldText } from '#lib/domain/text/folded-text.ts';

const wordPattern = /[\p{L}\p{N}]+/gu;

/** The folded words of a text, in order, without apostrophes and the possessive ending. */
export const foldedWordsOf = (text: string): string[] =>
  foldText(text)
    .replaceAll(/['\u2019\u02bc]s(?!\p{L})/gu, '')
    .replaceAll(/['\u2019\u02bc`]/g, '')
    .match(wordPattern) ?? [];
