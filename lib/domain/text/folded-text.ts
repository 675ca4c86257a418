import { asciiDigits } from './digits.ts';
import { normalized } from './normal-form.ts';

/**
 * Marks that are letters: vowel signs, the sign of a missing vowel, consonants below others, and the marks of kana. All
 * other marks are left out: those that people leave out in writing, tones, and the signs for nasal sound and breath.
 */
const markLetters =
  '\u07a6-\u07b0\u0816\u0817\u081b\u093a\u093b\u093e-\u094f\u0955-\u0963\u09be-\u09e3\u0a3e-\u0a51\u0a75\u0abe-\u0ae3' +
  '\u0b3e-\u0b4d\u0b56-\u0b63\u0bbe-\u0bd7\u0c3e-\u0c63\u0cbe-\u0ce3\u0d3b-\u0d63\u0dca-\u0e3a\u0eb1-\u0ebc' +
  '\u0f71-\u0f7d\u0f80\u0f81\u0f84\u0f8d-\u0fbc\u102b-\u1035\u1039-\u109d\u1712-\u1773\u17b6-\u17c5\u17d2' +
  '\u1885-\u1938\u1a17-\u1a73\u1b35-\u1b44\u1ba1-\u1bad\u1be7-\u1c36\u3099\u309a\ua802-\ua806\ua823-\ua82c' +
  '\ua8b4-\ua8c4\ua8ff-\ua92a\ua947-\ua953\ua9b4-\uaabe\uaaeb-\uabea\uabed\u{10376}-\u{10a0c}\u{10a3f}\u{10d69}' +
  '\u{11038}-\u{1107f}\u{110b0}-\u{110b9}\u{110c2}\u{11127}-\u{11146}\u{111b3}-\u{111c0}\u{111ce}' +
  '\u{1122c}-\u{11233}\u{11235}\u{11241}\u{112e0}-\u{112e8}\u{112ea}\u{1133e}-\u{11363}\u{113b8}-\u{113c9}' +
  '\u{113ce}-\u{113d0}\u{11435}-\u{11442}\u{114b0}-\u{114be}\u{114c2}\u{115af}-\u{115bb}\u{115bf}' +
  '\u{115dc}-\u{1163c}\u{1163f}\u{116ad}-\u{116b6}\u{1171d}-\u{11836}\u{11839}\u{11930}-\u{11938}' +
  '\u{1193d}-\u{11942}\u{119d1}-\u{119dd}\u{119e0}-\u{11a0a}\u{11a34}\u{11a3b}-\u{11a95}\u{11a99}-\u{11c3b}' +
  '\u{11c3f}-\u{11cb4}\u{11d31}-\u{11d3f}\u{11d44}-\u{11d94}\u{11d97}-\u{11ef6}\u{11f34}-\u{11f42}' +
  '\u{1611e}-\u{1612c}\u{1612e}\u{1612f}\u{16f4f}-\u{16f92}\u{1e000}-\u{1e02a}\u{1e6e3}-\u{1e6f5}';

/**
 * Characters that people do not type: the other marks, the high hamza, tatweel, the tail of printed letters, bidi and
 * zero-width characters.
 */
const silent = new RegExp(`(?![${markLetters}\\u0e4d\\u0ecd])\\p{M}|[\\p{Cf}\\u0640\\u0674\\ufe73]`, 'gu');

/** Letters, and what they are compared as. */
const spellings =
  // Latin and Cyrillic letters with a stroke, hook or dot, and joined ones. All languages share I, also of dotless i.
  'đ:d ł:l l·:l ø:o æ:ae œ:oe ß:ss ð:d þ:th ħ:h ı:i ґ:г ' +
  // Letters at the end of a word, which may be inside a word of a name: Greek, Hebrew.
  '\u03c2:\u03c3 \u05da:\u05db \u05dd:\u05de \u05df:\u05e0 \u05e3:\u05e4 \u05e5:\u05e6 ' +
  // Joined letters of Yiddish.
  '\u05f0:\u05d5\u05d5 \u05f1:\u05d5\u05d9 \u05f2:\u05d9\u05d9 ' +
  // The forms of alef, yeh, kaf and heh.
  '\u0671:\u0627 \u0672:\u0627 \u0673:\u0627 \u0649:\u064a \u06cc:\u064a \u06a9:\u0643 \u0629:\u0647 ' +
  // Consonants without a vowel that have a letter of their own: Bengali, Telugu, Kannada, Malayalam.
  '\u09ce:\u09a4\u09cd \u0c5d:\u0c28\u0c4d \u0cdd:\u0ca8\u0ccd \u0d7a:\u0d23\u0d4d \u0d7b:\u0d28\u0d4d ' +
  '\u0d7c:\u0d30\u0d4d \u0d7d:\u0d32\u0d4d \u0d7e:\u0d33\u0d4d \u0d7f:\u0d15\u0d4d \u0d54:\u0d2e\u0d4d ' +
  '\u0d55:\u0d2f\u0d4d \u0d56:\u0d34\u0d4d \u0d3b:\u0d4d \u0d3c:\u0d4d ' +
  // Forms that depend on the letter before: Tibetan, Burmese, Javanese.
  '\u0f6a:\u0f62 \u0fba:\u0fad \u0fbb:\u0fb1 \u0fbc:\u0fb2 \u102b:\u102c \ua9ac:\ua9ab \ua9b5:\ua9b4 ' +
  // The vowel "am" of Thai and Lao, which NFKC takes apart. Its ring alone is left out.
  '\u0e4d\u0e32:\u0e33 \u0ecd\u0eb2:\u0eb3 \u0e4d: \u0ecd: ' +
  // Apostrophes, quotation marks and hyphens.
  `\u2018:' \u2019:' \u201b:' \u02bb:' \u02bc:' \u05f3:' \u201c:" \u201d:" \u201e:" \u05f4:" \u2010:- \u05be:-`;

const comparedAs = new Map(spellings.split(' ').map((spelling) => spelling.split(':') as [string, string]));
/** Both kinds of kana are used for the same words. */
const hiragana = '\u3041-\u3096\u309d\u309e';
const katakanaOffset = 0x60;
const spelledOtherwise = new RegExp(`${[...comparedAs.keys()].join('|')}|[${hiragana}]`, 'g');

const ascii = /^[\x20-\x7e]*$/;

/**
 * A text as search compares it (lib/spec/decisions.md section 4, "Folding"): without case, left-out marks and the
 * spelling variants of letters and digits. Stored keys contain this form, so it does not depend on a collator.
 */
export function foldText(text: string): string {
  // Folding ASCII only lowers its case; this path is hot.
  if (ascii.test(text)) return text.toLowerCase();
  const bare = normalized(normalized(text, 'NFKC').toLowerCase(), 'NFKD').replace(silent, '');
  if (ascii.test(bare)) return bare;
  // Composed again, a syllable is not found by a part of it.
  return normalized(asciiDigits(bare.replace(spelledOtherwise, comparedLetter)));
}

const comparedLetter = (letter: string): string =>
  comparedAs.get(letter) ?? String.fromCharCode(letter.charCodeAt(0) + katakanaOffset);

export const foldedWords = (search: string): string[] => foldText(search).split(/\s+/).filter(Boolean);

/** Whether each folded word is in one of the texts. */
export const hasWords = (texts: readonly string[], words: readonly string[]): boolean =>
  words.length === 0 || hasFoldedWords(texts.map(foldText), words);

/** As `hasWords`, for texts that are folded already. */
export const hasFoldedWords = (folded: readonly string[], words: readonly string[]): boolean =>
  words.every((word) => folded.some((text) => text.includes(word)));
