/** Elements of an XML document; a list repeats its element, what is undefined is left out. */
export interface Elements {
  readonly [name: string]: Content | readonly Content[];
}
type Content = string | number | boolean | Elements | undefined;

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** Writes a document whose root has the namespace of S3; errors have none. */
export const document = (root: string, elements: Elements): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${root === 'Error' ? '' : ` xmlns="${namespace}"`}>${inner(elements)}</${root}>`;

const inner = (elements: Elements): string =>
  Object.entries(elements)
    .flatMap(([name, contents]) => [contents].flat().map((content) => element(name, content as Content)))
    .join('');

function element(name: string, content: Content): string {
  if (content === undefined) return '';
  return `<${name}>${typeof content === 'object' ? inner(content) : escapeText(String(content))}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
const escapeText = (text: string): string => text.replaceAll(/[&<>"\r]/g, (character) => escapes[character] ?? '');

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The texts of an element wherever it stands, such as the keys of a list of objects. */
export function textsOf(xml: string, name: string): string[] {
  return xml
    .split(`<${name}>`)
    .slice(1)
    .map((rest) => unescapeText(rest.slice(0, Math.max(0, rest.indexOf(`</${name}>`)))));
}

const unescapeText = (text: string): string =>
  text.replaceAll(/&(#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/g, (whole, entity: string) => {
    if (!entity.startsWith('#')) return entities[entity] ?? whole;
    const code = entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
