import { Register, type Step } from '../register.ts';
import { MessageLog } from './message-log.ts';
import { OpenConversationLog } from './open-conversation-log.ts';
import { ReadMarkLog } from './read-mark-log.ts';
import { StatusLog } from './status-log.ts';
import { earlierMessages, hasEarlierMessages, importedRoom, openingCustomers } from './world.ts';

/** A conversation in an answer. */
export interface ShownConversation {
  readonly id: string;
  readonly status: string;
  readonly assignee: { readonly id: string } | null;
}

/** A conversation in a list. */
export interface ListedConversation extends ShownConversation {
  readonly createdAt: string;
  readonly lastMessageAt: string | null;
  readonly lastMessage: string | null;
  readonly unreadCount: number;
}

/** All records of one conversation's history. */
export class ConversationHistory {
  readonly id: string;
  readonly messages: MessageLog;
  readonly marks: ReadMarkLog;
  readonly status: StatusLog;
  readonly assignee: Register;
  readonly #rows: { readonly row: ListedConversation; readonly start: Step; readonly end: Step }[] = [];
  /** The ETags that changes were conditional on. */
  readonly #tags = new Set<string>();
  /** Agents with a refused assignment. */
  readonly #refused = new Set<string>();
  readonly #faults: string[] = [];

  constructor(id: string) {
    this.id = id;
    this.messages = new MessageLog(id, hasEarlierMessages(id) ? earlierMessages(id) : []);
    this.marks = new ReadMarkLog(this.messages);
    this.status = new StatusLog(id);
    this.assignee = new Register(`${id}.assignee`, 'none');
  }

  saw({ status, assignee }: ShownConversation, start: Step, end: Step): void {
    const value = assignee?.id ?? 'none';
    if (this.#refused.has(value)) this.#faults.push(`${this.id} has ${value}, which was refused.`);
    this.status.saw(status, start, end);
    this.assignee.read({ value, start, end });
  }

  listed(row: ListedConversation, reader: string, start: Step, end: Step): void {
    this.saw(row, start, end);
    this.marks.counted({ reader, unread: row.unreadCount, start, end });
    this.#rows.push({ row, start, end });
  }

  /** At most one change under an ETag succeeds. */
  changedUnder(tag: string): void {
    if (this.#tags.has(tag)) this.#faults.push(`${this.id} was changed twice under ${tag}.`);
    this.#tags.add(tag);
  }

  refused(agentId: string): void {
    this.#refused.add(agentId);
  }

  /** Call it after the message log is closed. */
  violations = (): string[] => [
    ...this.#faults,
    ...this.messages.violations(),
    ...this.marks.violations(),
    ...this.status.violations(),
    ...this.assignee.violations(),
    ...this.#faultsOfRows(),
  ];

  *#faultsOfRows(): Generator<string> {
    for (const { row, start, end } of this.#rows) {
      const { least, most } = this.messages.lengths(start, end);
      const candidates = Array.from({ length: most - least + 1 }, (_, more) => this.messages.newest(least + more));
      const isRight = candidates.some(
        (message) => (message?.createdAt ?? null) === row.lastMessageAt && (message?.text ?? null) === row.lastMessage,
      );
      if (!isRight) yield `${this.id} is listed with "${row.lastMessage}", not one of ${least} to ${most} messages.`;
    }
  }
}

/** An iteration over all conversations by cursor. */
export interface Iteration {
  readonly shown: readonly ListedConversation[];
  readonly start: Step;
  readonly end: Step;
}

/** Records all calls in the conversations of a workspace, and judges them at the end. */
export class TalkHistory {
  readonly conversations: ReadonlyMap<string, ConversationHistory>;
  readonly doors: ReadonlyMap<string, OpenConversationLog> = new Map(
    openingCustomers.map((id) => [id, new OpenConversationLog(id)]),
  );
  /** By the name of the guest for whom several clients open a conversation. */
  readonly guests = new Map<string, Set<string>>();
  readonly #walks: Iteration[] = [];
  readonly #active: { readonly id: string; readonly start: Step; readonly end: Step }[] = [];

  constructor(ids: readonly string[]) {
    this.conversations = new Map([...ids, importedRoom].map((id) => [id, new ConversationHistory(id)]));
  }

  of(id: string): ConversationHistory {
    const found = this.conversations.get(id);
    if (!found) throw new Error(`${id} is no conversation of the history.`);
    return found;
  }

  walked(walk: Iteration): void {
    this.#walks.push(walk);
  }

  wroteIn(id: string, start: Step, end: Step): void {
    this.#active.push({ id, start, end });
  }

  *violations(): Generator<string> {
    for (const conversation of this.conversations.values()) yield* conversation.violations();
    for (const [name, ids] of this.guests)
      if (ids.size > 1) yield `${name} has the conversations ${[...ids].join(', ')}.`;
    for (const walk of this.#walks) yield* this.#faultsOf(walk);
  }

  /** An iteration shows each conversation once; one with activity in the meantime at most once. */
  *#faultsOf({ shown, start, end }: Iteration): Generator<string> {
    const ids = shown.map(({ id }) => id);
    if (new Set(ids).size < ids.length) yield `A walk (${start} to ${end}) shows ${ids.join()}.`;
    for (const id of this.conversations.keys()) {
      const isActive = this.#active.some((active) => active.id === id && active.start < end && active.end > start);
      if (!isActive && !ids.includes(id)) yield `A walk (${start} to ${end}) has missed ${id}.`;
    }
    const places = shown.map(({ id, createdAt, lastMessageAt }) => `${lastMessageAt ?? createdAt}#${id}`);
    if (places.join() !== places.toSorted().reverse().join()) yield `A walk has the order ${places.join()}.`;
  }
}
