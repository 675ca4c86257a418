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

type Value = string | number | Html | readonly Html[];

/** A template tag for HTML. It escapes every value except results of the tag itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + markup(values[index] ?? '')).join(''));
}

/** The HTML of a mail. */
export const mailHtml = (language: string, title: string, content: Html): string =>
  `${html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="font-family: sans-serif; line-height: 1.5">
${content}</body>
</html>
`}`;

/** The last line of a mail, which says where it comes from. */
export const originHtml = (origin: string): Html =>
  html`<p dir="auto" style="color: #666; font-size: 0.85em">${origin}</p>\n`;

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
