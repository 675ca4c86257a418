const opening = '<think>';
const closing = '</think>';

/** Takes a block of thoughts off the beginning of a reply: some models write them into the text. */
export class ThinkFilter {
  #state: 'beginning' | 'thinking' | 'after' | 'text' = 'beginning';
  #held = '';

  /** @returns what can be shown by now */
  push(delta: string): string {
    if (this.#state === 'text') return delta;
    this.#held += delta;
    if (this.#state === 'beginning') this.#begin();
    if (this.#state === 'thinking') this.#think();
    if (this.#state === 'after') this.#skipBlanks();
    return this.#isText() ? this.#show() : '';
  }

  /** @returns the rest of the text: the beginning of a block that was not one */
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
      // The closing mark may come in pieces.
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
