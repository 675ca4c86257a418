import type { Issue } from '../issue.ts';

/** The names of a `fields` parameter as a tree. A repeated name is merged into the union. */
export interface FieldName {
  /** The name occurs at least once without parentheses. */
  plain: boolean;
  /** The names inside the parentheses. */
  nested: FieldList | undefined;
}
export type FieldList = Map<string, FieldName>;

const namesMax = 200;
const nestingMax = 6;
const bytesMax = 4_096;

class SyntaxIssue extends Error {
  readonly code: Issue['code'];
  constructor(code: Issue['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads `list := item (',' item)*`, `item := name [ '(' list ')' ]` (lib/spec/decisions.md section 3). Blank is no
 * list.
 * @returns the list, or the first issue of a malformed one
 */
export function parseFieldList(text: string): { readonly list: FieldList | undefined } | { readonly issue: Issue } {
  if (text.trim() === '') return { list: undefined };
  try {
    return { list: new FieldListReader(text).read() };
  } catch (error) {
    if (!(error instanceof SyntaxIssue)) throw error;
    return { issue: { path: 'fields', code: error.code, message: error.message } };
  }
}

class FieldListReader {
  readonly #text: string;
  #at = 0;
  #names = 0;

  constructor(text: string) {
    if (Buffer.byteLength(text) > bytesMax) throw new SyntaxIssue('too_large', 'Must be at most 4 KB.');
    this.#text = text;
  }

  read(): FieldList {
    const list = this.#list(0, new Map());
    if (this.#at < this.#text.length) throw this.#unexpected();
    return list;
  }

  #list(depth: number, list: FieldList): FieldList {
    do this.#item(depth, list);
    while (this.#take(','));
    return list;
  }

  #item(depth: number, list: FieldList): void {
    const name = this.#name();
    const entry = list.get(name) ?? { plain: false, nested: undefined };
    list.set(name, entry);
    if (!this.#take('(')) {
      entry.plain = true;
      return;
    }
    if (depth === nestingMax)
      throw new SyntaxIssue('too_large', `Must be nested at most ${nestingMax} pairs of parentheses deep.`);
    entry.nested = this.#list(depth + 1, entry.nested ?? new Map());
    if (!this.#take(')')) throw this.#unexpected();
    this.#skipSpaces();
  }

  #name(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !'(),'.includes(this.#text.charAt(this.#at))) this.#at++;
    const name = this.#text.slice(start, this.#at).trim();
    if (name === '') throw this.#unexpected('a field name');
    this.#names++;
    if (this.#names > namesMax) throw new SyntaxIssue('too_large', `Must have at most ${namesMax} names.`);
    return name;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skipSpaces(): void {
    while (this.#text[this.#at] === ' ') this.#at++;
  }

  #unexpected(wanted = 'a comma or a closing parenthesis'): SyntaxIssue {
    const end = this.#at >= this.#text.length;
    return new SyntaxIssue('syntax', `Expected ${wanted} ${end ? 'at the end' : `at character ${this.#at + 1}`}.`);
  }
}
