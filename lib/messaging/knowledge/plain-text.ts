/** Inline tags, which do not separate words. */
const inlineTag = /<\/?(?:a|b|code|em|i|mark|s|small|span|strong|sub|sup|u)(?:[\s/][^<>]{0,500})?>/gi;
const tag = /<\/?[A-Za-z][^<>]{0,500}>/g;
const link = /!?\[([^[\]]{0,500})\]\([^()\s]{0,2000}\)/g;
const lineMark = /^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,3}\.)[ \t]+/gm;
const emphasis = /\*{1,3}|_{2,3}|~~|`+/g;

/** A text without the marks of Markdown and HTML, one line a paragraph. */
export const withoutMarkup = (text: string): string =>
  text
    .replaceAll(inlineTag, '')
    .replaceAll(tag, ' ')
    .replaceAll(link, '$1')
    .replaceAll(lineMark, '')
    .replaceAll(emphasis, '')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\n\s*/g, '\n')
    .trim();

/** Cuts a text to this number of characters, between words. */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  // Removes half a surrogate pair at the end.
  const cut = text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, '');
  const space = cut.search(/\s\S*$/);
  return `${(space > charactersMax / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
