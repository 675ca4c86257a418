import { type Atom, escapeAt, re2CodePoint, UnsupportedPattern } from './escape.ts';

const quantifier = /\{\d+(?:,\d*)?\}/y;
const groupStart = /\((?:\?(?:<[^=!>][^>]*>|([a-z-]*):|(<?[=!])))?/y;
const lineEnd = '\\x{A}\\x{D}\\x{2028}\\x{2029}';

interface Part {
  readonly text: string;
  readonly end: number;
}

/**
 * Translates a valid JavaScript pattern to RE2 syntax. The two differ silently: in RE2 `.` matches line separators,
 * `\s` covers only ASCII, and `[[:alpha:]]` and `\A` are special. Groups lose numbers and names; nothing reads them.
 * @throws UnsupportedPattern for constructs that a linear-time engine lacks
 */
export function translatePattern(source: string): string {
  let translated = '';
  const dotMatchesAll = [false];
  for (let index = 0; index < source.length; ) {
    const part = partAt(source, index, dotMatchesAll);
    translated += part.text;
    index = part.end;
  }
  return translated;
}

/** @param dotMatchesAll whether `.` matches line ends, for each open group */
function partAt(source: string, index: number, dotMatchesAll: boolean[]): Part {
  const codePoint = source.codePointAt(index) ?? 0;
  const character = String.fromCodePoint(codePoint);
  const end = index + character.length;
  switch (character) {
    case '\\':
      return escapePart(source, index);
    case '[':
      return classAt(source, index);
    case '(':
      return groupPart(source, index, dotMatchesAll);
    case ')':
      dotMatchesAll.pop();
      return { text: character, end };
    case '.':
      return { text: dotMatchesAll.at(-1) ? anyCharacter : `[^${lineEnd}]`, end };
    case '{':
      return quantifierPart(source, index);
    default:
      return { text: '^$|*+?'.includes(character) ? character : re2CodePoint(codePoint), end };
  }
}

function escapePart(source: string, index: number): Part {
  if (/^[bB]$/.test(source[index + 1] ?? '')) return { text: source.slice(index, index + 2), end: index + 2 };
  const atom = escapeAt(source, index);
  return { text: 'set' in atom ? `[${atom.set}]` : re2CodePoint(atom.codePoint), end: atom.end };
}

function groupPart(source: string, index: number, dotMatchesAll: boolean[]): Part {
  groupStart.lastIndex = index;
  const [start = '(', flags = '', assertion] = groupStart.exec(source) ?? [];
  if (assertion) throw new UnsupportedPattern('it looks ahead or behind with (?= (?! (?<= or (?<!');
  const [added = '', removed = ''] = flags.split('-');
  dotMatchesAll.push(added.includes('s') || (dotMatchesAll.at(-1) === true && !removed.includes('s')));
  return { text: `(?${flags}:`, end: index + start.length };
}

/** A brace that starts no quantifier is a literal. */
function quantifierPart(source: string, index: number): Part {
  quantifier.lastIndex = index;
  const bounds = quantifier.exec(source)?.[0];
  return bounds === undefined
    ? { text: re2CodePoint(123), end: index + 1 }
    : { text: bounds, end: index + bounds.length };
}

/** RE2 classes for JavaScript's `[^]` (any character) and `[]` (none). */
const anyCharacter = '[\\x{0}-\\x{10FFFF}]';
const noCharacter = '[^\\x{0}-\\x{10FFFF}]';

/** Translates the character class at an index to RE2 syntax, with each character as a code point. */
function classAt(source: string, start: number): { readonly text: string; readonly end: number } {
  const isNegated = source[start + 1] === '^';
  let index = start + (isNegated ? 2 : 1);
  let members = '';
  while (index < source.length && source[index] !== ']') {
    const first = atomAt(source, index);
    const last = source[first.end] === '-' && source[first.end + 1] !== ']' ? atomAt(source, first.end + 1) : undefined;
    if (last && 'codePoint' in first && 'codePoint' in last) {
      members += `${re2CodePoint(first.codePoint)}-${re2CodePoint(last.codePoint)}`;
      index = last.end;
    } else {
      members += memberText(first);
      index = first.end;
    }
  }
  if (members === '') return { text: isNegated ? anyCharacter : noCharacter, end: index + 1 };
  return { text: `[${isNegated ? '^' : ''}${members}]`, end: index + 1 };
}

const memberText = (atom: Atom): string => ('set' in atom ? atom.set : re2CodePoint(atom.codePoint));

/** Inside a class, `\b` is a backspace and `\-` a hyphen. */
function atomAt(source: string, index: number): Atom {
  if (source.startsWith('\\b', index)) return { codePoint: 8, end: index + 2 };
  if (source[index] === '\\') return escapeAt(source, index);
  const codePoint = source.codePointAt(index) ?? 0;
  return { codePoint, end: index + (codePoint > 0xffff ? 2 : 1) };
}
