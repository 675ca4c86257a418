import { element, icon, setAttributes } from './elements.ts';
import type { Language } from './language.ts';

/** The button at the edge of the page that opens the chat. */
export class Launcher {
  readonly element: HTMLButtonElement;
  readonly #language: Language;
  readonly #count = element('span', { class: 'count', 'aria-hidden': 'true' });

  constructor(language: Language, toggle: () => void) {
    this.#language = language;
    const attributes = { 'aria-haspopup': 'dialog', 'aria-controls': 'panel' };
    this.element = element('button', { type: 'button', class: 'launcher', ...attributes }, icon('chat'), icon('close'));
    this.element.append(this.#count);
    this.element.addEventListener('click', toggle);
  }

  show(isOpen: boolean, unread: number): void {
    const count = isOpen ? 0 : unread;
    const label = this.#language.text(isOpen ? 'close' : count > 0 ? 'openUnread' : 'open', { count: `${count}` });
    this.#count.textContent = count > 9 ? '9+' : `${count || ''}`;
    setAttributes(this.element, { 'aria-expanded': String(isOpen), 'aria-label': label, title: label });
  }
}
