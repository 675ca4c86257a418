import type { Issue } from './issue.ts';

/** The names of a `fields` parameter as a tree. A name given twice is merged: plain and with parentheses is the union. */
export interface FieldName {
  /** The name stands without parentheses somewhere. */
  plain: boolean;
  /** What stands in the name's parentheses. */
  nested: FieldList | undefined;
}
export type FieldList = Map<string, FieldName>;

const namesMax = 200;
const nestingMax = 6;
const bytesMax = 4_096;

class Refused extends Error {
  readonly code: Issue['code'];
  constructor(code: Issue['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads `list := item (',' item)*`, `item := name [ '(' list ')' ]` (lib/spec/decisions.md section 3). Blank is no
 * list.
 * @returns the first problem of a text that is no such list
 */
export function parseFieldList(text: string): { readonly list: FieldList | undefined } | { readonly issue: Issue } {
  if (text.trim() === '') return { list: undefined };
  try {
    return { list: new FieldListReader(text).read() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { issue: { path: 'fields', code: error.code, message: error.message } };
  }
}

class FieldListReader {
  readonly #text: string;
  #at = 0;
  #names = 0;

  constructor(text: string) {
    if (Buffer.byteLength(text) > bytesMax) throw new Refused('too_large', 'Must be at most 4 KB.');
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
      throw new Refused('too_large', `Must be nested at most ${nestingMax} pairs of parentheses deep.`);
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
    if (this.#names > namesMax) throw new Refused('too_large', `Must have at most ${namesMax} names.`);
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

  #unexpected(wanted = 'a comma or a closing parenthesis'): Refused {
    const end = this.#at >= this.#text.length;
    return new Refused('syntax', `Expected ${wanted} ${end ? 'at the end' : `at character ${this.#at + 1}`}.`);
  }
}
