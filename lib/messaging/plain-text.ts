import { isHighSurrogate } from './pace.ts';

/** Controls that have no place in a message; line ends and tabs do. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove.
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * Makes plain text of a model's pieces, wherever they were cut: without white space before the first word, without
 * control characters, and well-formed, so that what is streamed can be stored as it is.
 */
export class PlainText {
  #half = '';
  #hasBegun = false;

  /** @returns what of the text so far can be passed on */
  push(piece: string): string {
    const text = this.#half + piece;
    this.#half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    return this.#plain(text.slice(0, text.length - this.#half.length));
  }

  /** @returns what was held back for a piece that did not come */
  end(): string {
    const half = this.#half;
    this.#half = '';
    return this.#plain(half);
  }

  #plain(text: string): string {
    const plain = text.toWellFormed().replace(controls, '');
    const begun = this.#hasBegun ? plain : plain.trimStart();
    this.#hasBegun ||= begun !== '';
    return begun;
  }
}
