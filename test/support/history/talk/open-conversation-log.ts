import { Register, type Step } from '../register.ts';

interface Opened {
  readonly id: string;
  readonly isNew: boolean;
  readonly start: Step;
  readonly end: Step;
}

interface Resolved {
  readonly id: string;
  readonly start: Step;
  /** Infinite without an acknowledgement. */
  readonly end: Step;
}

/**
 * The open conversation of one customer on one channel. Clients only open and resolve it. There is at most one, and
 * every concurrent call that opens it gets the same.
 */
export class OpenConversationLog {
  readonly #name: string;
  readonly #opened: Opened[] = [];
  readonly #resolved: Resolved[] = [];
  readonly #failed: Step[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  opened(opening: Opened): void {
    this.#opened.push(opening);
  }

  /** An opening without an answer may have created a conversation. */
  failed(start: Step): void {
    this.#failed.push(start);
  }

  resolved(resolution: Resolved): void {
    this.#resolved.push(resolution);
  }

  /** The newest conversation. */
  get last(): string | undefined {
    return this.#opened.at(-1)?.id;
  }

  /** @param stored the conversations of the customer at the end */
  *violations(stored: readonly { readonly id: string; readonly status: string }[]): Generator<string> {
    const ids = new Set(this.#opened.map(({ id }) => id));
    yield* this.#faultsOfOrder(ids);
    for (const id of ids) yield* this.#faultsOf(id);
    const open = stored.filter(({ status }) => status !== 'resolved').length;
    if (open > 1) yield `${this.#name} has ${open} open conversations.`;
    const unseen = stored.filter(({ id }) => !ids.has(id)).length;
    if (unseen > this.#failed.length) yield `${this.#name} has ${unseen} conversations that nobody has opened.`;
    for (const id of ids)
      if (!stored.some((conversation) => conversation.id === id)) yield `${this.#name}: ${id} is lost.`;
  }

  /** At no moment are two conversations open. */
  *#faultsOfOrder(ids: ReadonlySet<string>): Generator<string> {
    const register = new Register(this.#name, 'none');
    for (const id of ids) {
      const made = this.#opened.find((opening) => opening.id === id && opening.isNew);
      const start = made?.start ?? Math.min(...this.#failed);
      register.write({ value: id, start, end: made?.end ?? Number.POSITIVE_INFINITY });
    }
    for (const { id, isNew, start, end } of this.#opened) if (!isNew) register.read({ value: id, start, end });
    yield* register.violations();
  }

  *#faultsOf(id: string): Generator<string> {
    const mine = this.#opened.filter((opening) => opening.id === id);
    if (mine.filter(({ isNew }) => isNew).length > 1) yield `${this.#name}: ${id} was made twice.`;
    const resolved = this.#resolved.filter((resolution) => resolution.id === id);
    const over = Math.min(...resolved.map(({ end }) => end));
    const late = mine.find(({ start }) => start > over);
    if (late) yield `${this.#name}: ${id} was opened at ${late.start}, after it was resolved at ${over}.`;
    const known = Math.min(...mine.map(({ end }) => end));
    const leave = Math.min(...resolved.map(({ start }) => start));
    const next = this.#opened.find(
      (opening) => opening.isNew && opening.id !== id && opening.start > known && opening.end < leave,
    );
    if (next) yield `${this.#name}: ${next.id} was made at ${next.start} while ${id} was open.`;
  }
}
