const letters = new Map([
  ...['\u0671', '\u0672', '\u0673'].map((alef) => [alef, '\u0627'] as const),
  ...['\u0649', '\u06cc'].map((yeh) => [yeh, '\u064a'] as const),
  ['\u06a9', '\u0643'] as const,
  ['\u0629', '\u0647'] as const,
  // Final sigma folds to sigma: a word's end in a search may be inside a word of a name.
  ['\u03c2', '\u03c3'] as const,
]);
/** NFKC decomposes this alef into two letters. */
const alefWithHighHamza = /\u0627\u0674+/g;

/** Characters that people do not type: marks (with harakat), tatweel, bidi and zero-width characters. */
const silent = /[\p{M}\p{Cf}\u0640]/gu;
const foldable = /[\u03c2\u0629\u0649\u0671-\u0673\u06a9\u06cc\u0660-\u0669\u06f0-\u06f9]/g;

const ascii = /^[\x20-\x7e]*$/;

/**
 * A text as search compares it (lib/spec/decisions.md section 4): without case, marks and the spelling variants of
 * letters and digits.
 */
export function foldText(text: string): string {
  // Folding ASCII only lowers its case; this path is hot.
  return ascii.test(text) ? text.toLowerCase() : foldDotlessI(foldForKey(text));
}

/**
 * Turkish has a dotless i, whose capital is I. All languages share the capital, so it folds to i. The small letter must
 * then fold to i, too. A stored text that was folded earlier may still contain the dotless i.
 */
export const foldDotlessI = (folded: string): string => folded.replaceAll('\u0131', 'i');

/** As `foldText`, but the dotless i stays. Stored keys contain this form, so it must never change. */
export function foldForKey(text: string): string {
  const bare = text.normalize('NFKC').toLowerCase().normalize('NFKD').replace(silent, '');
  return bare.replace(foldable, foldCharacter).replace(alefWithHighHamza, '\u0627');
}

function foldCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0x06f0) return String(code - 0x06f0);
  if (code >= 0x0660 && code <= 0x0669) return String(code - 0x0660);
  return letters.get(character) ?? character;
}

/** The folded words of a search. */
export const foldedWords = (search: string): string[] => foldText(search).split(/\s+/).filter(Boolean);

/** Whether each folded word is in one of the texts. */
export const hasWords = (texts: readonly string[], words: readonly string[]): boolean =>
  words.length === 0 || hasFoldedWords(texts.map(foldText), words);

/** As `hasWords`, for texts that are folded already. */
export const hasFoldedWords = (folded: readonly string[], words: readonly string[]): boolean =>
  words.every((word) => folded.some((text) => text.includes(word)));
