import type { Condition, View } from '../chat/view.ts';
import type { Composer } from './composer.ts';
import { element, icon } from './elements.ts';
import { isOfInputMethod } from './input-method.ts';
import type { Language, TextName } from './language.ts';
import type { MessageList } from './message-list.ts';

const conditionTexts: Partial<Record<Condition, TextName>> = {
  connecting: 'connecting',
  offline: 'offline',
  busy: 'busy',
  refused: 'unavailable',
};

/** On a narrow screen the chat covers the page. */
const narrow = '(max-width: 520px), (max-height: 420px)';

/** The window of the chat. */
export class Panel {
  readonly element: HTMLDialogElement;
  readonly #list: MessageList;
  readonly #composer: Composer;
  readonly #language: Language;
  readonly #status = element('p', { class: 'status' });
  readonly #condition = element('p', { class: 'notice', role: 'status' });
  readonly #problem = element('p', { class: 'notice problem', role: 'alert' });
  /** The text for screen readers. It gets each message after the message is complete. */
  readonly #spoken = element('div', { class: 'hidden', 'aria-live': 'polite' });
  readonly #narrow = matchMedia(narrow);

  constructor(language: Language, list: MessageList, composer: Composer) {
    this.#language = language;
    this.#list = list;
    this.#composer = composer;
    const close = language.text('close');
    const button = element('button', { type: 'button', class: 'close', 'aria-label': close, title: close });
    button.append(icon('close'));
    button.addEventListener('click', () => this.element.close());
    const title = element('div', { class: 'title' }, element('h2', { id: 'title' }, language.text('title')));
    title.append(this.#status);
    const head = element('div', { class: 'head' }, title, button);
    this.element = element('dialog', { id: 'panel', class: 'panel', 'aria-labelledby': 'title' }, head, list.element);
    this.element.append(this.#condition, this.#problem, composer.element, this.#spoken);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      // The browser itself would close a dialog that covers the page.
      event.preventDefault();
      if (!isOfInputMethod(event)) this.element.close();
    });
    this.#narrow.addEventListener('change', () => this.#fit());
  }

  open(): void {
    if (!this.element.open) this.#open();
    this.#list.toEnd();
    this.#composer.focus();
  }

  show(view: View): void {
    const { condition, isWithTeam } = view;
    const statusText = this.#language.text(isWithTeam ? 'withTeam' : 'withAssistant');
    this.#status.textContent = isWithTeam === undefined ? '' : statusText;
    const name = conditionTexts[condition];
    this.#setText(this.#condition, name ? this.#language.text(name) : '');
    this.#list.show(view);
  }

  problem(text: string): void {
    this.#setText(this.#problem, text);
  }

  speak(text: string): void {
    this.#spoken.append(element('p', {}, text));
    while (this.#spoken.children.length > 5) this.#spoken.firstChild?.remove();
  }

  #open(): void {
    if (this.#narrow.matches) this.element.showModal();
    else this.element.show();
  }

  #fit(): void {
    if (!this.element.open) return;
    this.element.close();
    this.#open();
    this.#composer.focus();
  }

  #setText(element: HTMLElement, text: string): void {
    if (element.textContent !== text) element.textContent = text;
  }
}
