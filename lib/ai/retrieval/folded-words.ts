import { foldText } from '#lib/domain/text/folded-text.ts';

const wordPattern = /[\p{L}\p{N}]+/gu;

/** The words of a text as they are compared: folded, without apostrophes and what makes an owner of them, in their order. */
export const foldedWordsOf = (text: string): string[] =>
  foldText(text)
    .replaceAll(/['\u2019\u02bc]s(?!\p{L})/gu, '')
    .replaceAll(/['\u2019\u02bc`]/g, '')
    .match(wordPattern) ?? [];
