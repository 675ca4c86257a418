import { foldText } from '#lib/domain/text/folded-text.ts';

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** The folded words of a text, in order, without apostrophes and the possessive ending. */
export const foldedWordsOf = (text: string): string[] =>
  foldText(text)
    .replaceAll(/'s(?!\p{L})/gu, '')
    .replaceAll(/['`]/g, '')
    .match(wordPattern) ?? [];
