import arabic from '../texts/ar.json' with { type: 'json' };
import english from '../texts/en.json' with { type: 'json' };

export type TextName = keyof typeof english;

/** The texts, numbers and direction of one language. */
export class Language {
  readonly code: 'en' | 'ar';
  readonly #time: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;

  /** @param wanted a language tag, e.g. `ar-SA`; all but Arabic becomes English */
  constructor(wanted: string) {
    this.code = /^ar\b/i.test(wanted) ? 'ar' : 'en';
    const tag = isTag(wanted) && wanted.toLowerCase().startsWith(this.code) ? wanted : this.code;
    this.#time = new Intl.DateTimeFormat(tag, { hour: 'numeric', minute: '2-digit' });
    this.#day = new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long' });
  }

  get direction(): 'ltr' | 'rtl' {
    return this.code === 'ar' ? 'rtl' : 'ltr';
  }

  /** @param values replace `{name}` in the text */
  text(name: TextName, values: Readonly<Record<string, string>> = {}): string {
    const texts: Readonly<Record<TextName, string>> = this.code === 'ar' ? arabic : english;
    return texts[name].replace(/\{(\w+)\}/g, (placeholder, key) => values[key] ?? placeholder);
  }

  /** @param at RFC 3339 */
  time(at: string): string {
    return this.#time.format(new Date(at));
  }

  day(at: string): string {
    return this.#day.format(new Date(at));
  }
}

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch {
    return false;
  }
}
