import { Interrupted, Refused } from './failures.ts';
import { Pace } from './pace.ts';
import { Replies } from './replies.ts';
import { Sender } from './sender.ts';
import type { Service } from './service.ts';
import type { SessionKeeper } from './session-keeper.ts';
import {
  agentAnswers,
  type Message,
  type MessagePage,
  type Pending,
  type PendingFile,
  type Store,
  Thread,
} from './store.ts';
import type { ChatEvents, Condition, View } from './view.ts';
import { Waiter } from './waiter.ts';

const pageLength = 30;

export interface ChatParts {
  readonly service: Service;
  readonly keeper: SessionKeeper;
  readonly store: Store;
  readonly events: ChatEvents;
  /** True while the page is in the background. */
  readonly isHidden: () => boolean;
}

/** The conversation of one visitor: its messages, the unsent ones, and the polls. It does not depend on the page. */
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
  /** The newest message from a poll. Messages from other calls may have gaps before them. */
  #cursor: string | undefined;
  #etag: string | undefined;
  #condition: Condition = 'idle';
  /** The condition of an interrupted message. Polls do not change it. */
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
      interrupted: (reason) => this.#setHeld(conditionOf(reason)),
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

  /** Continues an existing conversation. A new one begins when the visitor opens the chat. */
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

  /** Polls now. */
  wake(): void {
    this.#pace.reset();
    this.#waiter.wake();
    void this.#poll();
    void this.#sender.run();
  }

  /** Stops polling while the page is hidden. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  send(text: string, files: readonly PendingFile[]): void {
    this.#sender.add(text, files);
    this.wake();
  }

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
    if (this.#condition === 'idle') this.#setCondition('connecting');
    const hasMore = await this.#fetchNews().catch((error: unknown) => this.#failed(error));
    this.#isPolling = false;
    clearTimeout(this.#timer);
    if (isHidden()) return;
    const wait = hasMore === true ? 0 : this.#pace.next(hasMore === false ? 0 : hasMore);
    this.#timer = setTimeout(() => void this.#poll(), wait);
  }

  /** @returns true when more messages are waiting */
  async #fetchNews(): Promise<boolean> {
    const { keeper, service } = this.#parts;
    const { conversationId, agentId } = await keeper.open();
    if (conversationId !== this.#conversationId) this.#switchTo(conversationId);
    this.#hasAgent = agentId !== null;
    const from = this.#cursor;
    const query = from === undefined ? `limit=${pageLength}` : `after=${encodeURIComponent(from)}&limit=100`;
    const answer = await service.messages(query, this.#etag);
    this.#setCondition('ready');
    if (answer) this.#addPage(answer.page, answer.etag, from);
    this.#answer();
    this.#markRead();
    return from !== undefined && answer?.page.hasMore === true;
  }

  #switchTo(conversationId: string): void {
    this.#conversationId = conversationId;
    this.#thread = new Thread();
    this.#hasEarlier = false;
    this.#cursor = undefined;
    this.#etag = undefined;
  }

  #addPage(page: MessagePage, etag: string | undefined, from: string | undefined): void {
    const { status, assigneeType, data } = page;
    this.#state = { status, assigneeType };
    if (from === undefined) this.#hasEarlier = page.hasMore;
    // The tag belongs to the query. After news, the next query has another cursor.
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
    // A message of the visitor reopens a closed conversation.
    if (['resolved', 'snoozed'].includes(this.#state.status)) this.#state = { ...this.#state, status: 'open' };
    this.#setHeld(undefined);
    this.#add([message]);
    this.#answer();
  }

  #refused(message: Pending): void {
    this.#setHeld(undefined);
    this.#parts.events.refused(message);
  }

  #answer(): void {
    void this.#replies.run(() => this.#hasAgent && agentAnswers(this.#state));
  }

  /** The next poll shows whether a member has taken over the conversation. */
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

  /** @returns the minimum wait in milliseconds */
  #failed(error: unknown): number {
    if (error instanceof Interrupted) {
      this.#setCondition(conditionOf(error));
      return error.retryAfterMilliseconds;
    }
    // The conversation no longer exists. The next poll begins another one.
    if (error instanceof Refused && error.status === 404 && this.#conversationId) this.#parts.keeper.forget();
    this.#setCondition('refused');
    return 0;
  }

  #setHeld(condition: Condition | undefined): void {
    this.#held = condition;
    this.#parts.events.changed();
  }

  #setCondition(condition: Condition): void {
    if (this.#condition === condition) return;
    this.#condition = condition;
    this.#parts.events.changed();
  }
}

const conditionOf = ({ isBusy }: Interrupted): Condition => (isBusy ? 'busy' : 'offline');
