import type { Message, Pending } from '../chat/store.ts';
import type { View } from '../chat/view.ts';
import { element, icon, setAttributes } from './elements.ts';
import { fileCard, type ReadFile } from './file-card.ts';
import type { Language, TextName } from './language.ts';

/** One line of the list. Lines with the same key and state share an element. */
interface Line {
  readonly key: string;
  readonly state: string;
  readonly make: () => HTMLElement;
}

export interface MessageListActions {
  readonly earlier: () => void;
  readonly retryReply: () => void;
  readonly readFile: ReadFile;
}

/** Shows the conversation. It updates only changed elements. */
export class MessageList {
  readonly element: HTMLElement;
  readonly #list = element('ol', { class: 'messages' });
  readonly #shown = new Map<string, { readonly state: string; readonly item: HTMLElement }>();
  readonly #language: Language;
  readonly #actions: MessageListActions;
  /** The text of the incomplete reply. It is one element, so that the scroll position and the selection stay. */
  readonly #growing = element('p', { class: 'text', dir: 'auto' });

  constructor(language: Language, actions: MessageListActions) {
    this.#language = language;
    this.#actions = actions;
    const label = language.text('messages');
    this.element = element('div', {
      class: 'log',
      role: 'log',
      'aria-live': 'off',
      'aria-label': label,
      tabindex: '0',
    });
    this.element.append(this.#list);
  }

  show(view: View): void {
    const isAtEnd = this.#isAtEnd();
    const before = this.element.scrollHeight - this.element.scrollTop;
    const first = this.#list.firstElementChild;
    this.#arrange(this.#lines(view));
    if (isAtEnd) this.toEnd();
    else if (this.#list.firstElementChild !== first) this.element.scrollTop = this.element.scrollHeight - before;
  }

  toEnd(): void {
    this.element.scrollTop = this.element.scrollHeight;
  }

  #isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    return scrollHeight - scrollTop - clientHeight < 60;
  }

  #arrange(lines: readonly Line[]): void {
    const keys = new Set(lines.map(({ key }) => key));
    for (const [key, { item }] of this.#shown) {
      if (keys.has(key)) continue;
      item.remove();
      this.#shown.delete(key);
    }
    lines.forEach(({ key, state, make }, index) => {
      const shown = this.#shown.get(key);
      const item = shown?.state === state ? shown.item : make();
      if (shown && shown.item !== item) shown.item.replaceWith(item);
      this.#shown.set(key, { state, item });
      if (this.#list.children[index] !== item) this.#list.insertBefore(item, this.#list.children[index] ?? null);
    });
  }

  #lines({ messages, pending, growing, failedReply, hasEarlier }: View): Line[] {
    const start = hasEarlier ? this.#earlier() : this.#greeting();
    const stored = messages.flatMap((message, index) =>
      this.#stored(message, messages[index - 1], messages[index + 1]),
    );
    const failed = failedReply === undefined ? [] : [this.#failed(failedReply)];
    const reply = growing ? [this.#reply(growing.text, growing.isBroken)] : [];
    return [start, ...stored, ...reply, ...failed, ...pending.map((message) => this.#pending(message))];
  }

  #greeting(): Line {
    const text = this.#language.text('greeting');
    return { key: 'greeting', state: '', make: () => this.#bubble('greeting', [paragraph(text)]) };
  }

  #earlier(): Line {
    const make = () => {
      const button = element('button', { type: 'button', class: 'quiet' }, this.#language.text('earlier'));
      button.addEventListener('click', this.#actions.earlier);
      return element('li', { class: 'middle' }, button);
    };
    return { key: 'earlier', state: '', make };
  }

  #stored(message: Message, before: Message | undefined, after: Message | undefined): Line[] {
    const { id, senderType, text, attachments, createdAt } = message;
    const day = this.#language.day(createdAt);
    const isNewDay = !before || this.#language.day(before.createdAt) !== day;
    const isFirst = isNewDay || before.senderType !== senderType;
    const isLast = after?.senderType !== senderType || this.#language.day(after.createdAt) !== day;
    const make = () => {
      const files = attachments.map((file) => fileCard(file, this.#language, this.#actions.readFile));
      const parts = [...(text === '' ? [] : [paragraph(text)]), ...files];
      const time = element('time', { datetime: createdAt }, this.#language.time(createdAt));
      return this.#bubble(`${senderType}${isFirst ? ' first' : ''}${isLast ? ' last' : ''}`, parts, time, id);
    };
    const state = `${isFirst} ${isLast} ${attachments.length} ${text.length}`;
    const line = { key: `message ${id}`, state, make };
    if (!isNewDay) return [line];
    return [{ key: `day ${day}`, state: '', make: () => element('li', { class: 'middle day' }, day) }, line];
  }

  #reply(text: string, isBroken: boolean): Line {
    this.#growing.textContent = text;
    const waits = text === '' && !isBroken;
    const make = () => {
      const label = this.#language.text('typing');
      const dots = element('p', { class: 'dots', role: 'img', 'aria-label': label });
      dots.append(element('i'), element('i'), element('i'));
      const note = element('p', { class: 'note' }, this.#language.text('replyBroken'));
      const parts = [...(text === '' ? [] : [this.#growing]), ...(waits ? [dots] : []), ...(isBroken ? [note] : [])];
      return this.#bubble('agent first last growing', parts);
    };
    return { key: 'growing', state: `${text === ''} ${isBroken}`, make };
  }

  #failed(id: string): Line {
    const make = () => {
      const button = element('button', { type: 'button', class: 'quiet' }, this.#language.text('retry'));
      button.addEventListener('click', this.#actions.retryReply);
      return element('li', { class: 'middle' }, this.#language.text('replyFailed'), ' ', button);
    };
    return { key: `failed ${id}`, state: '', make };
  }

  #pending({ key, text, files }: Pending): Line {
    const make = () => {
      const names = files.map(({ name }) => element('p', { class: 'file' }, icon('file'), element('bdi', {}, name)));
      const parts = [...(text === '' ? [] : [paragraph(text)]), ...names];
      return this.#bubble('customer first last pending', parts, element('span', {}, this.#language.text('sending')));
    };
    return { key: `pending ${key}`, state: '', make };
  }

  #bubble(kind: string, parts: readonly Node[], foot?: Node, id?: string): HTMLElement {
    const [sender = ''] = kind.split(' ', 1);
    const names: Readonly<Record<string, TextName>> = { customer: 'you', agent: 'assistant', greeting: 'title' };
    const from = element('p', { class: 'from' }, this.#language.text(names[sender] ?? 'team'));
    const item = element('li', { class: kind }, from, element('div', { class: 'bubble' }, ...parts));
    if (foot) item.append(element('p', { class: 'foot' }, foot));
    setAttributes(item, { 'data-id': id });
    return item;
  }
}

const paragraph = (text: string): HTMLElement => element('p', { class: 'text', dir: 'auto' }, text);
