import { type Atom, escapeAt, re2CodePoint } from './escape.ts';

/** RE2 classes for JavaScript's `[^]` (any character) and `[]` (none). */
export const anyCharacter = '[\\x{0}-\\x{10FFFF}]';
const noCharacter = '[^\\x{0}-\\x{10FFFF}]';

/** Translates the character class at an index to RE2 syntax, with each character as a code point. */
export function classAt(source: string, start: number): { readonly text: string; readonly end: number } {
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
