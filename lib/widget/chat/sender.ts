import { Interrupted } from './failures.ts';
import type { Service } from './service.ts';
import type { Pending, PendingFile, Store } from './store.ts';
import type { Message } from './thread.ts';
import type { Waiter } from './waiter.ts';

/** Repetitions are recognized for a day; what is older becomes a draft again. */
const repeatableMilliseconds = 23 * 3_600_000;

export interface SenderEvents {
  changed(): void;
  sent(message: Message): void;
  /** The service does not take it. */
  refused(message: Pending): void;
  interrupted(reason: Interrupted): void;
}

/** Sends what the visitor writes, one message after the other, until each has arrived. */
export class Sender {
  readonly #service: Service;
  readonly #store: Store;
  readonly #waiter: Waiter;
  readonly #events: SenderEvents;
  #pending: readonly Pending[];
  #isSending = false;

  constructor(service: Service, store: Store, waiter: Waiter, events: SenderEvents) {
    this.#service = service;
    this.#store = store;
    this.#waiter = waiter;
    this.#events = events;
    const { pending = [] } = store.read();
    this.#pending = pending.filter(isRepeatable);
    const left = pending.filter((message) => !isRepeatable(message));
    if (left.length > 0) this.#giveBack(left);
  }

  get pending(): readonly Pending[] {
    return this.#pending;
  }

  add(text: string, files: readonly PendingFile[]): void {
    const message = { key: randomKey(), text, files, at: Date.now() };
    this.#pending = [...this.#pending, message];
    this.#keep(message);
    this.#events.changed();
    void this.run();
  }

  /** Sends what is there; a second call beside the first does nothing. */
  async run(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#pending[0]; next; next = this.#pending[0]) await this.#try(next);
    this.#isSending = false;
  }

  async #try(message: Pending): Promise<void> {
    try {
      const complete = await this.#withFiles(message);
      const sent = await this.#service.send(complete);
      this.#drop(message);
      this.#events.sent(sent);
    } catch (error) {
      if (error instanceof Interrupted) {
        this.#events.interrupted(error);
        return this.#waiter.pause(error.retryAfterMilliseconds);
      }
      this.#drop(message);
      this.#events.refused(message);
    }
  }

  /** Stores the files first, each one time, however often the message is tried. */
  async #withFiles(message: Pending): Promise<Pending> {
    let current = message;
    for (const [index, file] of message.files.entries()) {
      if (file.id !== undefined) continue;
      const id = await this.#service.upload(file);
      current = { ...current, files: current.files.with(index, { ...file, id }) };
      this.#pending = this.#pending.map((one) => (one.key === message.key ? current : one));
      this.#keep(current);
    }
    return current;
  }

  /** A text that cannot be sent again becomes the draft. */
  #giveBack(messages: readonly Pending[]): void {
    const texts = messages.map(({ text }) => text);
    this.#store.change((kept) => ({
      ...kept,
      pending: this.#pending,
      draft: [...texts, kept.draft].filter(Boolean).join('\n'),
    }));
  }

  #keep(message: Pending): void {
    this.#store.change((kept) => ({ ...kept, pending: [...others(kept.pending, message), message] }));
  }

  #drop({ key }: Pending): void {
    this.#pending = this.#pending.filter((one) => one.key !== key);
    this.#store.change((kept) => ({ ...kept, pending: others(kept.pending, { key }) }));
    this.#events.changed();
  }
}

const others = (pending: readonly Pending[] = [], { key }: Pick<Pending, 'key'>): Pending[] =>
  pending.filter((one) => one.key !== key);

/** The content of a file does not outlive the page, so that a file that was not stored is lost with it. */
const isRepeatable = ({ at, files }: Pending): boolean =>
  Date.now() - at < repeatableMilliseconds && files.every(({ id }) => id !== undefined);

/** `crypto.randomUUID` is missing on pages without HTTPS. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
