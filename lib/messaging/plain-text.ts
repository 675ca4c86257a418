import { isHighSurrogate } from './pace.ts';

/** Control characters that a message must not contain. Line breaks and tabs are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove.
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * Turns a model's chunks into plain text, which is streamed and stored alike. It removes leading white space and
 * control characters, and joins surrogate pairs that two chunks share.
 */
export class PlainText {
  #highSurrogate = '';
  #hasBegun = false;

  /** @returns the text that can be sent now */
  push(piece: string): string {
    const text = this.#highSurrogate + piece;
    this.#highSurrogate = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    return this.#plain(text.slice(0, text.length - this.#highSurrogate.length));
  }

  /** @returns the rest, held back in case another chunk completed it */
  end(): string {
    const highSurrogate = this.#highSurrogate;
    this.#highSurrogate = '';
    return this.#plain(highSurrogate);
  }

  #plain(text: string): string {
    const plain = text.toWellFormed().replace(controls, '');
    const begun = this.#hasBegun ? plain : plain.trimStart();
    this.#hasBegun ||= begun !== '';
    return begun;
  }
}
