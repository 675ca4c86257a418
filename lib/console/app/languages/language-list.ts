import { foldedWords, foldText } from '#lib/domain/text/folded-text.ts';
import { languagePattern } from '#lib/domain/text/language-tag.ts';
import { languageNames } from './language-names.ts';

/** A language that can be chosen. */
export interface ListedLanguage {
  readonly code: string;
  /** The name in the language of the console. */
  readonly name: string;
  /** The name in the language itself, or `name` if the browser has none. */
  readonly ownName: string;
}

/** Usual codes of more than two letters. The browser cannot list its languages, and trying all of them takes seconds. */
const longCodes = [
  'ar-AE ar-EG ar-MA ar-SA arz ast ber bho ceb ckb de-AT de-CH en-AU en-CA en-GB en-IN en-US es-419 es-ES es-MX fa-AF',
  'fil fr-BE fr-CA fr-CH gsw haw hmn kmr kok mai mni nl-BE pt-BR pt-PT sat sr-Latn yue zh-CN zh-HK zh-Hans zh-Hant zh-TW',
]
  .join(' ')
  .split(' ');

const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
const twoLetters = alphabet.flatMap((first) => alphabet.map((other) => first + other));

/** Arabic names of languages begin with it, but people often omit it. */
const article = 'ال';

/** True for a language as a whole, without its regions and scripts, which only a search needs. */
export const isWhole = ({ code }: ListedLanguage): boolean => !code.includes('-');

/** Every language with a two-letter code that the browser can name, and common longer codes, by name. */
export function listedLanguages(locale: string): readonly ListedLanguage[] {
  const names = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });
  const listed = [...twoLetters, ...longCodes].flatMap((code): ListedLanguage[] => {
    const name = names.of(code);
    // A language with two codes, such as `he` and `iw`, gets the standard one.
    return name === undefined || canonicalCode(code) !== code ? [] : [{ code, name, ownName: ownNameOf(code, name) }];
  });
  const { compare } = new Intl.Collator(locale);
  // Twi has the name of Akan, which contains it.
  const firstOf = new Map(listed.toReversed().map(({ code, name }) => [name, code]));
  return listed
    .filter(({ code, name }) => firstOf.get(name) === code)
    .sort((language, other) => compare(language.name, other.name));
}

/** The display of a language, even of an unknown one. */
export const languageOfCode = (code: string, locale: string): ListedLanguage => {
  const name = languageNames(locale)(code);
  return { code, name, ownName: ownNameOf(code, name) };
};

/**
 * The languages that match a search: the one with this code, then those with words that begin with its words. Another
 * code comes last, if the service takes it.
 */
export function findLanguages(listed: readonly ListedLanguage[], search: string, locale: string): ListedLanguage[] {
  const words = foldedWords(search);
  if (words.length === 0) return [...listed];
  const wanted = canonicalCode(search.trim()) ?? '';
  const matches = (text: string, word: string) => text.startsWith(word) || text.startsWith(`${article}${word}`);
  const matching = listed.filter(({ code, name, ownName }) => {
    const nameWords = foldText(`${name} ${ownName} ${code}`).split(/[\s(),]+/);
    return words.every((word) => nameWords.some((name) => matches(name, word)));
  });
  // German comes before Austrian German.
  const isFirst = ({ name }: ListedLanguage) => Number(matches(foldText(name), words.join(' ')));
  matching.sort((language, other) => isFirst(other) - isFirst(language));
  const exact = matching.find(({ code }) => code === wanted);
  if (exact) return [exact, ...matching.filter((language) => language !== exact)];
  return languagePattern.test(wanted) ? [...matching, languageOfCode(wanted, locale)] : matching;
}

/** The code as the standard writes it, such as `en-GB` for `EN-gb`; undefined for anything else. */
function canonicalCode(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch {
    return undefined;
  }
}

function ownNameOf(code: string, name: string): string {
  try {
    // Without data for a language, the browser would use the name in another one.
    return Intl.DisplayNames.supportedLocalesOf([code]).length === 0 ? name : languageNames(code)(code);
  } catch {
    return name;
  }
}
