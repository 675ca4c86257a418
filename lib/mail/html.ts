/** Safe HTML. Only the template tag below creates it. */
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

/** A template tag for HTML. It escapes every value except results of the tag itself. */
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
