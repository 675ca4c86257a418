import { Interrupted } from './failures.ts';
import type { Service } from './service.ts';
import type { Message, Pending, PendingFile, Store } from './store.ts';
import type { Waiter } from './waiter.ts';

/** The service recognizes idempotency keys for a day. An older message becomes a draft again. */
const repeatableMilliseconds = 23 * 3_600_000;

export interface SenderEvents {
  changed(): void;
  sent(message: Message): void;
  /** The service refuses the message. */
  refused(message: Pending): void;
  interrupted(reason: Interrupted): void;
}

/** Sends the visitor's messages in order, and retries each until it has arrived. */
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
    const expired = pending.filter((message) => !isRepeatable(message));
    if (expired.length > 0) this.#turnIntoDraft(expired);
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

  /** Sends the pending messages. A second call during the first does nothing. */
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

  /** Stores the files of a message first. A retry does not store them again. */
  async #withFiles(message: Pending): Promise<Pending> {
    let current = message;
    for (const [index, file] of message.files.entries()) {
      if (file.id !== undefined) continue;
      const id = await this.#service.upload(file);
      current = { ...current, files: current.files.with(index, { ...file, id }) };
      this.#pending = this.#pending.map((other) => (other.key === message.key ? current : other));
      this.#keep(current);
    }
    return current;
  }

  /** Turns texts that cannot be sent again into the draft. */
  #turnIntoDraft(messages: readonly Pending[]): void {
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
    this.#pending = this.#pending.filter((other) => other.key !== key);
    this.#store.change((kept) => ({ ...kept, pending: others(kept.pending, { key }) }));
    this.#events.changed();
  }
}

const others = (pending: readonly Pending[] = [], { key }: Pick<Pending, 'key'>): Pending[] =>
  pending.filter((other) => other.key !== key);

/** The content of a file is lost with the page, so an unstored file cannot be sent after a reload. */
const isRepeatable = ({ at, files }: Pending): boolean =>
  Date.now() - at < repeatableMilliseconds && files.every(({ id }) => id !== undefined);

/** `crypto.randomUUID` is missing on pages without HTTPS. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
