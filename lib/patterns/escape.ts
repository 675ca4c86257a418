/** The message explains why a pattern cannot be used, as the end of a sentence. */
export class UnsupportedPattern extends Error {
  override readonly name = 'UnsupportedPattern';
}

/** One character of a pattern: a code point, or a set of them written as the inside of a class. */
export type Atom = { readonly end: number } & ({ readonly codePoint: number } | { readonly set: string });

/** JavaScript's white space and line ends, which include more than ASCII. */
const space =
  '\\x{9}-\\x{D}\\x{20}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}';
const notSpace =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}';

const sets: Record<string, string> = { d: '\\d', D: '\\D', w: '\\w', W: '\\W', s: space, S: notSpace };
const controls: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
const codePointEscape = /\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|c([A-Za-z])|0(?!\d))/y;
const lowSurrogate = /\\u([dD][c-fC-F][0-9a-fA-F]{2})/y;
const property = /\\([pP])\{(?:(?:gc|General_Category)=)?([A-Z][a-z]?)\}|\\([pP])\{(?:sc|Script)=(\w+)\}/y;

/** A code point in RE2 syntax, valid inside and outside a class. */
export const re2CodePoint = (codePoint: number): string =>
  /^\w$/.test(String.fromCodePoint(codePoint)) ? String.fromCodePoint(codePoint) : `\\x{${codePoint.toString(16)}}`;

/** Parses the escape at an index, as JavaScript does with the `u` flag, or without it where `u` allows none. */
export function escapeAt(source: string, index: number): Atom {
  const letter = source[index + 1] ?? '\\';
  const end = index + 2;
  if (letter === 'k' || /[1-9]/.test(letter))
    throw new UnsupportedPattern('it refers back to a group, which needs more than linear time');
  if (letter === 'p' || letter === 'P') return propertyAt(source, index);
  const set = sets[letter];
  if (set !== undefined) return { set, end };
  const control = controls[letter];
  if (control !== undefined) return { codePoint: control, end };
  const atom = codePointAt(source, index);
  if (atom) return atom;
  if (letter === 'c' || letter === '0')
    throw new UnsupportedPattern(`its \\${letter} stands for no one character; write \\x and two hexadecimal digits`);
  return { codePoint: source.codePointAt(index + 1) ?? 0, end: end + (isAstral(source, index + 1) ? 1 : 0) };
}

const isAstral = (source: string, index: number): boolean => (source.codePointAt(index) ?? 0) > 0xffff;

function codePointAt(source: string, index: number): Atom | undefined {
  codePointEscape.lastIndex = index;
  const [text, byte, braced, unit, letter] = codePointEscape.exec(source) ?? [];
  if (text === undefined) return undefined;
  const end = index + text.length;
  if (letter !== undefined) return { codePoint: letter.charCodeAt(0) % 32, end };
  const codePoint = Number.parseInt(byte ?? braced ?? unit ?? '0', 16);
  lowSurrogate.lastIndex = end;
  const low = codePoint >= 0xd800 && codePoint <= 0xdbff ? lowSurrogate.exec(source) : null;
  if (!low) return { codePoint, end };
  const pair = String.fromCharCode(codePoint, Number.parseInt(low[1] ?? '', 16));
  return { codePoint: pair.codePointAt(0) ?? 0, end: end + 6 };
}

function propertyAt(source: string, index: number): Atom {
  property.lastIndex = index;
  const [text, categorySign, category, scriptSign, script] = property.exec(source) ?? [];
  if (text === undefined)
    throw new UnsupportedPattern(
      'of Unicode properties it can use only those such as \\p{L}, \\p{Lu} and \\p{Script=Arabic}',
    );
  return { set: `\\${categorySign ?? scriptSign}{${category ?? script}}`, end: index + text.length };
}
