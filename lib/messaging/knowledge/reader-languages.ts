import { isBlank } from '#lib/domain/text/blank.ts';
import { languageIn, languageKey } from '#lib/domain/text/language-tag.ts';
import type { Localized } from '#lib/domain/text/localized.ts';
import { shortened } from './plain-text.ts';

const nameCharactersMax = 150;

/** The language of a text in a reply: the language of the reply, else the next available one in order. */
export class ReaderLanguages {
  readonly #languages: readonly string[];

  /** @param languages that of the reply first */
  constructor(languages: readonly (string | undefined)[]) {
    const named = languages.filter((language) => language !== undefined);
    // A text in "en" serves a reader of "en-GB".
    const widened = named.flatMap((language) => {
      const base = language.replace(/-.*/, '');
      return language ? [language, languageIn(named, base) ?? languageKey(base)] : [];
    });
    this.#languages = [...new Set([...widened, 'en'])];
  }

  get first(): string {
    return this.#languages[0] ?? 'en';
  }

  /** A shortened text for a name. */
  name = (localized: Localized | null | undefined): string => shortened(this.text(localized).trim(), nameCharactersMax);

  text(localized: Localized | null | undefined): string {
    if (!localized) return '';
    const language = this.#languages.find((name) => Object.hasOwn(localized, name) && !isBlank(localized[name] ?? ''));
    return (
      (language === undefined ? Object.values(localized).find((text) => !isBlank(text)) : localized[language]) ?? ''
    );
  }
}
