const opening = '<think>';
const closing = '</think>';

/** Removes a block of reasoning from the start of a reply, because some models write it into the text. */
export class ThinkFilter {
  #state: 'beginning' | 'thinking' | 'after' | 'text' = 'beginning';
  #held = '';

  /** @returns the text that can be shown now */
  push(delta: string): string {
    if (this.#state === 'text') return delta;
    this.#held += delta;
    if (this.#state === 'beginning') this.#begin();
    if (this.#state === 'thinking') this.#think();
    if (this.#state === 'after') this.#skipBlanks();
    return this.#isText() ? this.#show() : '';
  }

  /** @returns the rest of the text, if it only looked like the start of a block */
  end(): string {
    return this.#state === 'beginning' ? this.#show() : '';
  }

  #begin(): void {
    const text = this.#held.trimStart();
    if (text.startsWith(opening)) {
      this.#held = text.slice(opening.length);
      this.#state = 'thinking';
    } else if (!opening.startsWith(text)) this.#state = 'text';
  }

  #think(): void {
    const end = this.#held.indexOf(closing);
    if (end === -1) {
      // The closing tag may arrive in pieces.
      this.#held = this.#held.slice(-closing.length);
      return;
    }
    this.#held = this.#held.slice(end + closing.length);
    this.#state = 'after';
  }

  #skipBlanks(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== '') this.#state = 'text';
  }

  #isText = (): boolean => this.#state === 'text';

  #show(): string {
    const shown = this.#held;
    this.#held = '';
    return shown;
  }
}
