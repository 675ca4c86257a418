import { escapeHtml } from '#lib/domain/text/escape-html.ts';

/** Elements of an XML document. A list repeats its element. */
export interface Elements {
  readonly [name: string]: Content | readonly Content[];
}
type Content = string | number | boolean | Elements;

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** Writes a document. Its root has the namespace of S3, except for errors. */
export const document = (root: string, elements: Elements): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${root === 'Error' ? '' : ` xmlns="${namespace}"`}>${inner(elements)}</${root}>`;

const inner = (elements: Elements): string =>
  Object.entries(elements)
    .flatMap(([name, contents]) => [contents].flat().map((content) => element(name, content as Content)))
    .join('');

const element = (name: string, content: Content): string =>
  `<${name}>${typeof content === 'object' ? inner(content) : escapeHtml(String(content)).replaceAll('\r', '&#13;')}</${name}>`;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The texts of all elements of a name. */
export function textsOf(xml: string, name: string): string[] {
  return xml
    .split(`<${name}>`)
    .slice(1)
    .map((rest) => unescapeText(rest.slice(0, Math.max(0, rest.indexOf(`</${name}>`)))));
}

const unescapeText = (text: string): string =>
  text.replaceAll(/&([a-z]{2,4});/g, (match, entity: string) => entities[entity] ?? match);
