import { randomUUID } from 'node:crypto';
import type { Answer } from '../../call.ts';
import { conversations } from '../../presets/chat.ts';
import type { Document } from '../../world.ts';
import type { SharedWorld } from '../clients.ts';
import type { Random } from '../random.ts';
import { RecordingClient, type TimedAnswer } from '../recording-client.ts';
import { importMessages } from './import-messages.ts';
import type { ConversationHistory, ListedConversation, TalkHistory } from './talk-history.ts';
import {
  agentOf,
  earlierMessages,
  hasEarlierMessages,
  isAgent,
  openingChannel,
  openingCustomers,
  statuses,
  type TalkWorld,
} from './world.ts';

const triesMax = 4;

/** The state that all clients of the conversations share. */
export interface SharedTalk {
  readonly shared: SharedWorld;
  readonly world: TalkWorld;
  readonly talk: TalkHistory;
  agents: number;
  isImporting: boolean;
}

/** A client that does one operation after the other in conversations, as a member or as the visitor. */
export class TalkClient {
  readonly #common: SharedTalk;
  readonly #random: Random;
  readonly #client: RecordingClient;
  readonly #tags = new Map<string, string>();

  constructor(common: SharedTalk, random: Random) {
    this.#common = common;
    this.#random = random;
    this.#client = new RecordingClient(common.shared.containers, common.shared.history, random);
  }

  async act(): Promise<void> {
    const operation = this.#random.pick<() => Promise<void>>([
      [30, () => this.#send()],
      [30, () => this.#page()],
      [10, () => this.#markRead()],
      [6, () => this.#walk()],
      [8, () => this.#change()],
      [5, () => this.#get()],
      [7, () => this.#openDoor()],
      [4, () => this.#openGuest()],
      [this.#common.shared.withImports ? 6 : 0, () => importMessages(this.#common, this.#random)],
    ]);
    await operation();
  }

  async #send(): Promise<void> {
    const conversation = this.#busyConversation();
    const { key, isVisitor } = this.#speaker(conversation.id);
    const text = `message ${this.#common.shared.newNumber()}`;
    const senderType = isVisitor || this.#random.isLikely(0.5) ? 'customer' : 'member';
    const hasFile = !isVisitor && this.#random.isLikely(0.2);
    const body = { senderType, text, ...(hasFile && { attachments: ['att_1', 'att_2'] }) };
    const path = `/${conversation.id}/messages`;
    const { start, answer, end } = await this.#write(`POST ${conversations}${path}`, key, body, 201);
    const isStored = answer.status === 201;
    const settled = isStored ? end : Number.POSITIVE_INFINITY;
    conversation.messages.sent({ text, start, end: settled, ...(isStored && { answer: answer.json }) });
    if (senderType === 'customer') conversation.status.customerWrote(start, settled);
    this.#common.talk.wroteIn(conversation.id, start, settled);
  }

  async #page(): Promise<void> {
    const conversation = this.#conversation();
    const { key } = this.#speaker(conversation.id);
    const limit = this.#random.pick([[3, 3] as const, [1, 20] as const]);
    const readsAged = hasEarlierMessages(conversation.id) && this.#random.isLikely(0.4);
    const known = this.#random.isLikely(0.5) ? conversation.messages.known(this.#random.next()) : undefined;
    const place = readsAged ? earlierMessages(conversation.id).at(-1)?.id : known;
    const side = !readsAged && this.#random.isLikely(0.7) ? 'after' : 'before';
    const query = `limit=${limit}${place === undefined ? '' : `&${side}=${place}`}`;
    const range = { after: side === 'after' ? place : undefined, before: side === 'before' ? place : undefined };
    for (let polls = 1 + this.#random.below(3); polls > 0; polls--) {
      const seen = await this.#read(`GET ${conversations}/${conversation.id}/messages?${query}`, key);
      if (!seen) return;
      const { json, start, end, request } = seen;
      conversation.messages.saw({ request, data: json.data, hasMore: json.hasMore, limit, ...range, start, end });
      conversation.status.saw(json.status, start, end);
    }
  }

  async #get(): Promise<void> {
    const conversation = this.#conversation();
    const seen = await this.#read(`GET ${conversations}/${conversation.id}`, this.#member().key);
    if (seen) conversation.saw(seen.json, seen.start, seen.end);
  }

  async #markRead(): Promise<void> {
    const conversation = this.#conversation();
    const to = conversation.messages.known(this.#random.next());
    if (to === undefined) return;
    const { key, reader } = this.#speaker(conversation.id);
    const request = `POST ${conversations}/${conversation.id}/read`;
    const { answer, start, end } = await this.#client.ask(request, { key, body: { messageId: to } }, triesMax);
    const isMoved = this.#client.expect(request, answer, [200, 503]);
    const marked = isMoved ? { answer: answer.json.messageId, end } : { end: Number.POSITIVE_INFINITY };
    conversation.marks.moved({ reader, to, start, ...marked });
  }

  /** Changes status and assignee, half of the time with `If-Match`. */
  async #change(): Promise<void> {
    const conversation = this.#conversation();
    const { key } = this.#member();
    const agentId = agentOf(this.#common.agents);
    if (!isAgent(this.#common.agents++)) return;
    const status = this.#one(statuses);
    const request = `PATCH ${conversations}/${conversation.id}`;
    const tag = this.#random.isLikely(0.5) ? this.#tags.get(`GET ${conversations}/${conversation.id}`) : undefined;
    const { answer, start, end } = await this.#client.ask(request, {
      key,
      body: { status, assignee: { type: 'agent', id: agentId } },
      ...(tag !== undefined && { headers: { 'if-match': tag } }),
    });
    const isChanged = this.#client.expect(request, answer, [200, 503, ...(tag === undefined ? [] : [412])]);
    if (answer.status === 412) return conversation.refused(agentId);
    const settled = isChanged ? end : Number.POSITIVE_INFINITY;
    conversation.assignee.write({ value: agentId, start, end: settled });
    conversation.status.changed(status, start, settled);
    if (isChanged) conversation.saw(answer.json, start, end);
    if (isChanged && tag !== undefined) conversation.changedUnder(tag);
  }

  /** Reads all conversations by cursor, a few at a time. */
  async #walk(): Promise<void> {
    const { id: reader, key } = this.#member();
    const { talk, shared } = this.#common;
    const start = shared.history.step();
    const shown: ListedConversation[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const request = `GET ${conversations}?limit=4${cursor && `&cursor=${cursor}`}`;
      const page = await this.#client.ask(request, { key }, triesMax);
      if (!this.#client.expect(request, page.answer, [200, 503])) return;
      shown.push(...page.answer.json.data);
      for (const row of page.answer.json.data as ListedConversation[])
        talk.conversations.get(row.id)?.listed(row, reader, page.start, page.end);
      cursor = page.answer.json.next;
    }
    talk.walked({ shown, start, end: shared.history.step() });
  }

  /** Opens the conversation of a customer, or resolves the newest one. */
  async #openDoor(): Promise<void> {
    const customerId = this.#one(openingCustomers);
    const door = this.#common.talk.doors.get(customerId);
    if (!door) return;
    const { key } = this.#member();
    const id = this.#random.isLikely(0.4) ? door.last : undefined;
    if (id !== undefined) {
      const request = `PATCH ${conversations}/${id}`;
      const { answer, start, end } = await this.#client.ask(request, { key, body: { status: 'resolved' } });
      const isDone = this.#client.expect(request, answer, [200, 503]);
      return door.resolved({ id, start, end: isDone ? end : Number.POSITIVE_INFINITY });
    }
    const body = { channelId: openingChannel, customerId };
    const { answer, start, end } = await this.#write(`POST ${conversations}`, key, body, 201, 200);
    if (answer.status === 503) return door.failed(start);
    door.opened({ id: answer.json.id, isNew: answer.status === 201, start, end });
  }

  /** Opens the conversation of a new customer on a new website in several concurrent calls. */
  async #openGuest(): Promise<void> {
    const { talk } = this.#common;
    const name = `guest-${talk.guests.size}`;
    const ids = new Set<string>();
    talk.guests.set(name, ids);
    const body = { channelIdentifier: `${name}.example`, customer: { externalId: name } };
    const open = () => this.#write(`POST ${conversations}`, this.#member().key, body, 201, 200);
    for (const { answer } of await Promise.all([open(), open(), open()]))
      if (answer.status !== 503) ids.add(answer.json.id);
  }

  /** A write with an idempotency key is retried after 503, and sometimes after its success, too. */
  async #write(request: string, key: string, body: object, ...expected: readonly number[]): Promise<TimedAnswer> {
    const hasKey = this.#random.isLikely(0.6);
    const headers: Record<string, string> = hasKey ? { 'idempotency-key': randomUUID() } : {};
    const options = { key, body, headers };
    const asked = await this.#client.ask(request, options, hasKey ? triesMax : 1);
    this.#client.expect(request, asked.answer, [...expected, 503]);
    if (hasKey && asked.answer.status !== 503 && this.#random.isLikely(0.3)) {
      const { answer } = await this.#client.ask(request, options, triesMax);
      if (answer.status !== 503 && `${answer.status} ${answer.text}` !== `${asked.answer.status} ${asked.answer.text}`)
        this.#common.shared.history.fault(`${request} was answered ${asked.answer.text}, then ${answer.text}.`);
    }
    return asked;
  }

  /** The content of an answer, if any; for a 304 the content that its tag identifies. */
  async #read(request: string, key: string) {
    const address = `${request} ${key}`;
    const tag = this.#random.isLikely(0.8) ? this.#tags.get(address) : undefined;
    const { answer, start, end } = await this.#client.ask(request, {
      key,
      headers: tag === undefined ? {} : { 'if-none-match': tag },
    });
    this.#client.expect(request, answer, [200, 503, ...(tag === undefined ? [] : [304])]);
    const text = answer.status === 503 ? undefined : this.#common.shared.history.textOf(request, answer);
    if (text === undefined) return undefined;
    this.#keepTag(request, address, answer);
    return { request, json: JSON.parse(text) as Document, start, end };
  }

  #keepTag(request: string, address: string, { headers }: Answer): void {
    const tag = headers['etag'] ?? '';
    this.#tags.set(address, tag);
    this.#tags.set(request, tag);
  }

  #conversation = (): ConversationHistory => this.#one([...this.#common.talk.conversations.values()]);

  /** The first conversations get many messages, the last ones few. */
  #busyConversation(): ConversationHistory {
    const { conversations: all } = this.#common.world;
    const place = Math.floor(this.#random.next() ** 2 * all.length);
    return this.#common.talk.of(all[place] ?? '');
  }

  #member = () => this.#one(this.#common.world.members);

  /** A random member. In the visitor's conversation, half of the time the visitor. */
  #speaker(conversationId: string): { readonly key: string; readonly reader: string; readonly isVisitor: boolean } {
    const { visitor } = this.#common.world;
    if (conversationId === visitor.conversationId && this.#random.isLikely(0.5))
      return { key: visitor.token, reader: visitor.customerId, isVisitor: true };
    const { id, key } = this.#member();
    return { key, reader: id, isVisitor: false };
  }

  #one = <Choice>(choices: readonly Choice[]): Choice => choices[this.#random.below(choices.length)] as Choice;
}
