import { randomKey } from '../chat/sender.ts';
import type { PendingFile } from '../chat/store.ts';
import { element, icon } from './elements.ts';
import { isOfInputMethod } from './input-method.ts';
import type { Language, TextName } from './language.ts';

const fileBytesMax = 26_214_400;
const filesMax = 10;
const rowsHeightMax = 140;
const borderHeight = 2;

export interface ComposerActions {
  readonly send: (text: string, files: readonly PendingFile[]) => void;
  readonly draft: (text: string) => void;
  /** Shows a problem; an empty text removes it. */
  readonly problem: (text: string) => void;
}

/** The form in which the visitor writes and picks files. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly #text: HTMLTextAreaElement;
  readonly #send: HTMLButtonElement;
  readonly #chips = element('ul', { class: 'files' });
  readonly #language: Language;
  readonly #actions: ComposerActions;
  #files: readonly PendingFile[] = [];

  constructor(language: Language, actions: ComposerActions) {
    this.#language = language;
    this.#actions = actions;
    const write = language.text('write');
    const send = language.text('send');
    const options = { rows: '1', maxlength: '20000', placeholder: write, 'aria-label': write };
    this.#text = element('textarea', { ...options, enterkeyhint: 'send' });
    this.#send = element('button', { class: 'send', 'aria-label': send, title: send }, icon('send'));
    const row = element('div', { class: 'row' }, this.#attach(), this.#text, this.#send);
    this.element = element('form', { class: 'composer' }, this.#chips, row);
    this.#listen();
    this.#changed();
  }

  focus(): void {
    this.#text.focus({ preventScroll: true });
  }

  /** Puts a text before the current one. */
  restore(text: string): void {
    if (text === '') return;
    this.#text.value = [text, this.#text.value].filter(Boolean).join('\n');
    this.#actions.draft(this.#text.value);
    this.#changed();
  }

  addFiles(files: readonly File[]): void {
    for (const file of files) {
      const { name, type, size } = file;
      if (size > fileBytesMax) this.#tell('fileTooLarge', name);
      else if (this.#files.length >= filesMax) this.#tell('tooManyFiles');
      else this.#files = [...this.#files, { key: randomKey(), name, type, size, content: file }];
    }
    this.#changed();
  }

  #attach(): HTMLElement {
    const label = this.#language.text('attach');
    const input = element('input', { type: 'file', multiple: true, hidden: true });
    const button = element('button', { type: 'button', class: 'attach', 'aria-label': label, title: label });
    button.append(icon('attach'));
    button.addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      this.#actions.problem('');
      this.addFiles([...(input.files ?? [])]);
      input.value = '';
      this.focus();
    });
    return element('span', {}, button, input);
  }

  #listen(): void {
    this.#text.addEventListener('input', () => {
      this.#actions.draft(this.#text.value);
      this.#changed();
    });
    this.#text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || isOfInputMethod(event)) return;
      event.preventDefault();
      this.element.requestSubmit();
    });
    this.#text.addEventListener('paste', ({ clipboardData }) => this.addFiles([...(clipboardData?.files ?? [])]));
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  #submit(): void {
    const text = this.#text.value.trim();
    if (text === '' && this.#files.length === 0) return;
    const files = this.#files;
    this.#text.value = '';
    this.#files = [];
    this.#actions.draft('');
    this.#actions.problem('');
    this.#changed();
    this.#actions.send(text, files);
    this.focus();
  }

  #tell(name: TextName, file = ''): void {
    this.#actions.problem(this.#language.text(name, { name: file }));
  }

  #changed(): void {
    const isEmpty = this.#text.value.trim() === '' && this.#files.length === 0;
    this.#send.setAttribute('aria-disabled', String(isEmpty));
    // An empty text has no direction, and `auto` would make it left to right.
    this.#text.dir = this.#text.value === '' ? this.#language.direction : 'auto';
    this.#chips.replaceChildren(...this.#files.map((file) => this.#chip(file)));
    this.#text.style.height = 'auto';
    // A hidden text field has no height.
    const height = this.#text.scrollHeight + borderHeight;
    if (height > borderHeight) this.#text.style.height = `${Math.min(rowsHeightMax, height)}px`;
    this.#text.style.overflowY = height > rowsHeightMax ? 'auto' : 'hidden';
  }

  #chip(file: PendingFile): HTMLElement {
    const label = this.#language.text('removeFile', { name: file.name });
    const button = element('button', { type: 'button', 'aria-label': label, title: label }, icon('close'));
    button.addEventListener('click', () => {
      this.#files = this.#files.filter(({ key }) => key !== file.key);
      this.#changed();
      this.focus();
    });
    return element('li', {}, icon('file'), element('bdi', { class: 'name' }, file.name), button);
  }
}
