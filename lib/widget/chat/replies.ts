import { Interrupted, Refused } from './failures.ts';
import type { Service } from './service.ts';
import type { Message, Thread } from './thread.ts';
import type { Waiter } from './waiter.ts';

const handledByTeam = 'This conversation is handled by a member of the team.';
/** Errors of a stream that pass by themselves. */
const passing = new Set([
  'A reply to this message is already being generated.',
  'The service cannot answer at the moment; try again shortly.',
]);
const attemptsMax = 20;

/** The reply that is being made, as far as it has come. */
export interface Growing {
  /** The message that it answers. */
  readonly to: string;
  readonly text: string;
  /** The connection was lost, and is being made again. */
  readonly isBroken: boolean;
}

export interface RepliesEvents {
  changed(): void;
  stored(message: Message): void;
  /** The team answers, and no agent. */
  handedOver(): void;
}

/** Asks for the reply of the agent to each message that needs one, and asks again until it is there. */
export class Replies {
  readonly #service: Service;
  readonly #thread: () => Thread;
  readonly #waiter: Waiter;
  readonly #events: RepliesEvents;
  #isAsking = false;
  growing: Growing | undefined;
  /** The message to which no reply could be made. */
  failed: string | undefined;

  constructor(service: Service, thread: () => Thread, waiter: Waiter, events: RepliesEvents) {
    this.#service = service;
    this.#thread = thread;
    this.#waiter = waiter;
    this.#events = events;
  }

  /** @param mayAnswer whether an agent answers in this conversation now */
  async run(mayAnswer: () => boolean): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    for (let next = this.#next(mayAnswer); next; next = this.#next(mayAnswer)) {
      this.failed = (await this.#answer(next.id)) ? undefined : next.id;
      this.growing = undefined;
      this.#events.changed();
    }
    this.#isAsking = false;
  }

  #next(mayAnswer: () => boolean): Message | undefined {
    const next = mayAnswer() ? this.#thread().unanswered() : undefined;
    return next?.id === this.failed ? undefined : next;
  }

  /** @returns whether nothing is left to do: the reply is stored, or none is made */
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
      if (event.type === 'error') return this.#judge(event.error);
    }
    throw new Interrupted();
  }

  #store(inReplyTo: string, id: string, text: string): true {
    // Its time is not known here; it comes after all that is shown.
    const createdAt = this.#thread().messages.at(-1)?.createdAt ?? new Date().toISOString();
    this.growing = undefined;
    this.#events.stored({ id, inReplyTo, text, createdAt, senderType: 'agent', attachments: [] });
    return true;
  }

  #judge(error: string): boolean {
    if (passing.has(error)) throw new Interrupted();
    if (error !== handledByTeam) return false;
    this.#events.handedOver();
    return true;
  }

  #show(growing: Growing): void {
    this.growing = growing;
    this.#events.changed();
  }
}
