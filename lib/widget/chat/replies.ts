import { Interrupted, Refused } from './failures.ts';
import type { Service } from './service.ts';
import type { Message, Thread } from './store.ts';
import type { Waiter } from './waiter.ts';

const handledByTeam = 'This conversation is handled by a member of the team.';
const temporaryErrors = new Set([
  'A reply to this message is already being generated.',
  'The service cannot answer at the moment; try again shortly.',
]);
const attemptsMax = 20;

/** An incomplete reply. */
export interface StreamedReply {
  /** The id of the answered message. */
  readonly to: string;
  readonly text: string;
  /** True while a lost connection is opened again. */
  readonly isBroken: boolean;
}

export interface RepliesEvents {
  changed(): void;
  stored(message: Message): void;
  /** From now on the team answers instead of the agent. */
  handedOver(): void;
}

/** Requests the agent's reply to each message that needs one, with retries. */
export class Replies {
  readonly #service: Service;
  readonly #thread: () => Thread;
  readonly #waiter: Waiter;
  readonly #events: RepliesEvents;
  #isRunning = false;
  growing: StreamedReply | undefined;
  /** The message whose reply has failed. */
  failed: string | undefined;

  constructor(service: Service, thread: () => Thread, waiter: Waiter, events: RepliesEvents) {
    this.#service = service;
    this.#thread = thread;
    this.#waiter = waiter;
    this.#events = events;
  }

  /** @param mayAnswer true while an agent answers in this conversation */
  async run(mayAnswer: () => boolean): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#next(mayAnswer); next; next = this.#next(mayAnswer)) {
      this.failed = (await this.#answer(next.id)) ? undefined : next.id;
      this.growing = undefined;
      this.#events.changed();
    }
    this.#isRunning = false;
  }

  #next(mayAnswer: () => boolean): Message | undefined {
    const next = mayAnswer() ? this.#thread().unanswered() : undefined;
    return next?.id === this.failed ? undefined : next;
  }

  /** @returns true when the reply is stored, or there will be none */
  async #answer(id: string): Promise<boolean> {
    const thread = this.#thread();
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      if (this.#thread() !== thread || thread.hasReplyTo(id)) return true;
      const outcome = await this.#stream(id).catch((error: unknown) => error);
      if (outcome === true || outcome === false) return outcome;
      if (outcome instanceof Refused) return false;
      this.#show({ to: id, text: this.growing?.text ?? '', isBroken: true });
      await this.#waiter.pause(outcome instanceof Interrupted ? outcome.retryAfterMilliseconds : 0);
    }
    return false;
  }

  async #stream(id: string): Promise<boolean> {
    this.#show({ to: id, text: this.growing?.text ?? '', isBroken: false });
    for await (const event of this.#service.reply(id)) {
      if (event.type === 'delta') this.#show({ to: id, text: event.text, isBroken: false });
      if (event.type === 'done') return this.#store(id, event.messageId, event.text);
      if (event.type === 'error') return this.#handleError(event.error);
    }
    throw new Interrupted();
  }

  #store(inReplyTo: string, id: string, text: string): true {
    // The stream has no time of the reply. It is placed after all messages.
    const createdAt = this.#thread().messages.at(-1)?.createdAt ?? new Date().toISOString();
    this.growing = undefined;
    this.#events.stored({ id, inReplyTo, text, createdAt, senderType: 'agent', attachments: [] });
    return true;
  }

  #handleError(error: string): boolean {
    if (temporaryErrors.has(error)) throw new Interrupted();
    if (error !== handledByTeam) return false;
    this.#events.handedOver();
    return true;
  }

  #show(growing: StreamedReply): void {
    this.growing = growing;
    this.#events.changed();
  }
}
