/** Text that is HTML already. Only the tag below makes it, so nothing else can pass for it. */
class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type { Html };

type Value = string | number | Html | readonly Html[];

/** The tag of HTML templates: every value is escaped, except what was made by this tag itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + markup(values[index] ?? '')).join(''));
}

function markup(value: Value): string {
  if (value instanceof Html) return value.toString();
  return typeof value === 'object' ? value.map(markup).join('') : escaped(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Safe between tags and in quoted attributes. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
