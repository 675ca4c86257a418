import type { Issue } from '../input.ts';

/** The names of a `fields` parameter as a tree. A repeated name is merged into the union. */
export interface FieldName {
  /** The name occurs at least once without parentheses. */
  plain: boolean;
  /** The names inside the parentheses. */
  nested: FieldList | undefined;
}
export type FieldList = Map<string, FieldName>;

/** The names, and the text that they were read from. */
export interface NamedFields {
  readonly names: FieldList;
  readonly text: string;
}

const namesMax = 200;
const nestingMax = 6;
const bytesMax = 4_096;

type Parsed = { readonly list: FieldList | undefined } | { readonly issue: Issue };

/** The text before a comma, a parenthesis or the end. */
const piece = /([^(),]*)([(),]|$)/g;

/**
 * Reads `list := item (',' item)*`, `item := name [ '(' list ')' ]` (lib/spec/decisions.md section 3).
 * @returns the list, undefined for a blank text, or the first issue of a malformed one
 */
export function parseFieldList(text: string): Parsed {
  if (text.trim() === '') return { list: undefined };
  if (Buffer.byteLength(text) > bytesMax) return refused('too_large', 'Must be at most 4 KB.');
  const list: FieldList = new Map();
  // The lists whose parentheses are open, the innermost last.
  let open: readonly FieldList[] = [list];
  let names = 0;
  let before = '';
  for (const { 0: matched, 1: written = '', 2: next = '', index } of text.matchAll(piece)) {
    const end = index + matched.length - next.length;
    const innermost = open.at(-1) as FieldList;
    if (before === ')') {
      const at = index + written.search(/[^ ]|$/);
      if (at < end || next === '(') return unexpected(text, at);
    } else {
      const name = written.trim();
      if (name === '') return unexpected(text, end, 'a field name');
      if (++names > namesMax) return refused('too_large', `Must have at most ${namesMax} names.`);
      const entry = innermost.get(name) ?? { plain: false, nested: undefined };
      innermost.set(name, entry);
      if (next === '(') {
        if (open.length > nestingMax)
          return refused('too_large', `Must be nested at most ${nestingMax} pairs of parentheses deep.`);
        entry.nested ??= new Map();
        open = [...open, entry.nested];
      } else entry.plain = true;
    }
    if (next === ')') open = open.slice(0, -1);
    if (open.length === 0 || (next === '' && open.length > 1)) return unexpected(text, end);
    if (next === '') break;
    before = next;
  }
  return { list };
}

function unexpected(text: string, at: number, wanted = 'a comma or a closing parenthesis'): Parsed {
  return refused('syntax', `Expected ${wanted} ${at >= text.length ? 'at the end' : `at character ${at + 1}`}.`);
}

const refused = (code: Issue['code'], message: string): Parsed => ({ issue: { path: 'fields', code, message } });
