import { Interrupted, Refused } from './failures.ts';
import { Pace } from './pace.ts';
import { Replies } from './replies.ts';
import { Sender } from './sender.ts';
import type { Service } from './service.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { Pending, PendingFile, Store } from './store.ts';
import { agentAnswers, type Message, type MessagePage, Thread } from './thread.ts';
import type { ChatEvents, Condition, View } from './view.ts';
import { Waiter } from './waiter.ts';

const pageLength = 30;

export interface ChatParts {
  readonly service: Service;
  readonly keeper: SessionKeeper;
  readonly store: Store;
  readonly events: ChatEvents;
  /** Whether nobody can see the page. */
  readonly isHidden: () => boolean;
}

/** One conversation of a visitor: what is there, what is being sent, what comes. It knows nothing of how it is shown. */
export class Chat {
  readonly #parts: ChatParts;
  readonly #pace = new Pace();
  readonly #waiter = new Waiter();
  readonly #sender: Sender;
  readonly #replies: Replies;
  #thread = new Thread();
  #conversationId: string | undefined;
  #hasAgent = false;
  #state: Pick<MessagePage, 'status' | 'assigneeType'> = { status: 'open', assigneeType: null };
  #hasEarlier = false;
  /** The newest message that a poll has brought: others may be missing before one that came another way. */
  #cursor: string | undefined;
  #etag: string | undefined;
  #condition: Condition = 'idle';
  /** Why a message waits, whatever polls come to meanwhile. */
  #held: Condition | undefined;
  #isOpen = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isPolling = false;
  #readMark: string | undefined;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    const { service, store } = parts;
    const changed = () => parts.events.changed();
    this.#sender = new Sender(service, store, this.#waiter, {
      changed,
      sent: (message) => this.#sent(message),
      refused: (message) => this.#refused(message),
      interrupted: (reason) => this.#hold(conditionOf(reason)),
    });
    this.#replies = new Replies(service, () => this.#thread, this.#waiter, {
      changed,
      stored: (message) => this.#add([message]),
      handedOver: () => this.#handedOver(),
    });
  }

  get view(): View {
    const { growing, failed } = this.#replies;
    return {
      condition: this.#held ?? this.#condition,
      messages: this.#thread.messages,
      hasEarlier: this.#hasEarlier,
      pending: this.#sender.pending,
      growing: growing && !this.#thread.hasReplyTo(growing.to) ? growing : undefined,
      failedReply: failed,
      isWithTeam: this.#conversationId === undefined ? undefined : !(this.#hasAgent && agentAnswers(this.#state)),
      unread: this.#thread.unreadAfter(this.#parts.store.read().seen),
    };
  }

  /** Goes on with a conversation that there is; a new one begins when the visitor opens the chat. */
  resume(): void {
    if (this.#parts.store.read().session || this.#sender.pending.length > 0) this.wake();
  }

  open(): void {
    this.#isOpen = true;
    this.wake();
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Asks for news now: something has happened that makes it worthwhile. */
  wake(): void {
    this.#pace.reset();
    this.#waiter.wake();
    void this.#poll();
    void this.#sender.run();
  }

  /** No poll is made while the page is hidden. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  send(text: string, files: readonly PendingFile[]): void {
    this.#sender.add(text, files);
    this.wake();
  }

  /** Asks again for a reply that failed. */
  retryReply(): void {
    this.#replies.failed = undefined;
    this.#answer();
  }

  async loadEarlier(): Promise<void> {
    const first = this.#thread.messages[0];
    if (!first) return;
    const query = `before=${encodeURIComponent(first.id)}&limit=${pageLength}`;
    const answer = await this.#parts.service.messages(query).catch((error: unknown) => void this.#failed(error));
    if (!answer) return;
    this.#hasEarlier = answer.page.hasMore;
    this.#thread.add(answer.page.data);
    this.#parts.events.changed();
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#timer);
    const { isHidden, store } = this.#parts;
    const isWanted = this.#isOpen || store.read().session !== undefined || this.#sender.pending.length > 0;
    if (this.#isPolling || isHidden() || !isWanted) return;
    this.#isPolling = true;
    if (this.#condition === 'idle') this.#become('connecting');
    const hasMore = await this.#ask().catch((error: unknown) => this.#failed(error));
    this.#isPolling = false;
    clearTimeout(this.#timer);
    if (isHidden()) return;
    const wait = hasMore === true ? 0 : this.#pace.next(hasMore === false ? 0 : hasMore);
    this.#timer = setTimeout(() => void this.#poll(), wait);
  }

  /** @returns whether more is waiting */
  async #ask(): Promise<boolean> {
    const { keeper, service } = this.#parts;
    const { conversationId, agentId } = await keeper.open();
    if (conversationId !== this.#conversationId) this.#begin(conversationId);
    this.#hasAgent = agentId !== null;
    const from = this.#cursor;
    const query = from === undefined ? `limit=${pageLength}` : `after=${encodeURIComponent(from)}&limit=100`;
    const answer = await service.messages(query, this.#etag);
    this.#become('ready');
    if (answer) this.#take(answer.page, answer.etag, from);
    this.#answer();
    this.#markRead();
    return from !== undefined && answer?.page.hasMore === true;
  }

  #begin(conversationId: string): void {
    this.#conversationId = conversationId;
    this.#thread = new Thread();
    this.#hasEarlier = false;
    this.#cursor = undefined;
    this.#etag = undefined;
  }

  #take(page: MessagePage, etag: string | undefined, from: string | undefined): void {
    const { status, assigneeType, data } = page;
    this.#state = { status, assigneeType };
    if (from === undefined) this.#hasEarlier = page.hasMore;
    // The tag belongs to the query, and the next one asks for what comes after this page.
    this.#etag = data.length > 0 ? undefined : etag;
    this.#cursor = data.at(-1)?.id ?? from;
    this.#add(data, from === undefined);
  }

  #add(messages: readonly Message[], isFirst = false): void {
    const fresh = this.#thread.add(messages);
    if (fresh.length > 0) this.#pace.reset();
    this.#markRead();
    this.#parts.events.changed();
    const arrived = fresh.filter(({ senderType }) => senderType !== 'customer');
    if (arrived.length > 0 && !isFirst) this.#parts.events.arrived(arrived);
  }

  #sent(message: Message): void {
    // A message of the visitor opens a conversation that was closed.
    if (['resolved', 'snoozed'].includes(this.#state.status)) this.#state = { ...this.#state, status: 'open' };
    this.#hold(undefined);
    this.#add([message]);
    this.#answer();
  }

  #refused(message: Pending): void {
    this.#hold(undefined);
    this.#parts.events.refused(message);
  }

  #answer(): void {
    void this.#replies.run(() => this.#hasAgent && agentAnswers(this.#state));
  }

  /** The next poll tells whether the team waits or a member has it. */
  #handedOver(): void {
    this.#state = { status: 'pending', assigneeType: null };
    this.#etag = undefined;
    this.#parts.events.changed();
  }

  #markRead(): void {
    const { isHidden, service, store } = this.#parts;
    const newest = this.#thread.messages.at(-1)?.id;
    if (!this.#isOpen || isHidden() || newest === undefined || newest === this.#readMark) return;
    this.#readMark = newest;
    store.change((kept) => ({ ...kept, seen: newest }));
    if (this.#thread.messages.at(-1)?.senderType === 'customer') return;
    service.markRead(newest).catch(() => {
      this.#readMark = undefined;
    });
  }

  /** @returns how long to wait at least, in milliseconds */
  #failed(error: unknown): number {
    if (error instanceof Interrupted) {
      this.#become(conditionOf(error));
      return error.retryAfterMilliseconds;
    }
    // The conversation is gone: the next poll begins another one.
    if (error instanceof Refused && error.status === 404 && this.#conversationId) this.#parts.keeper.forget();
    this.#become('refused');
    return 0;
  }

  #hold(condition: Condition | undefined): void {
    this.#held = condition;
    this.#parts.events.changed();
  }

  #become(condition: Condition): void {
    if (this.#condition === condition) return;
    this.#condition = condition;
    this.#parts.events.changed();
  }
}

const conditionOf = ({ isBusy }: Interrupted): Condition => (isBusy ? 'busy' : 'offline');
