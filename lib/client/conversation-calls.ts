import type { Transport } from './transport.ts';
import type {
  Conversation,
  ConversationChange,
  ConversationInput,
  ConversationPage,
  ListConversationsParameters,
  ListMessagesParameters,
  Message,
  MessagePage,
  NewMessage,
} from './types.ts';

const path = '/api/v1/connect/conversations';

interface Repeatable {
  /** Identifies this call, so that the whole call can be repeated later. @default a random one */
  readonly idempotencyKey?: string;
}

/** A conversation with the version for `ifMatch`. */
export interface VersionedConversation {
  readonly conversation: Conversation;
  readonly etag: string;
}

/** Conversations and their messages. */
export class ConversationCalls {
  readonly #transport: Transport;
  readonly #pathOf: (id: string) => string;

  /** @param segment writes an id as a segment of a path */
  constructor(transport: Transport, segment: (text: string) => string) {
    this.#transport = transport;
    this.#pathOf = (id) => `${path}/${segment(id)}`;
  }

  list = (query: ListConversationsParameters = {}): Promise<ConversationPage> => this.#get(path, query);

  /** Iterates over all matching conversations, page by page. */
  async *all(
    query: Omit<ListConversationsParameters, 'cursor'> = {},
  ): AsyncGenerator<ConversationPage['data'][number]> {
    for (let cursor: string | undefined; ; ) {
      const { data, next } = await this.list({ limit: 100, ...query, cursor });
      yield* data;
      if (next === null) return;
      cursor = next;
    }
  }

  /** Opens a conversation of a customer on a channel, or returns the open one. Retries make only one. */
  open = (conversation: ConversationInput, { idempotencyKey = newKey() }: Repeatable = {}): Promise<Conversation> =>
    this.#post(path, conversation, idempotencyKey);

  get = (id: string): Promise<Conversation> => this.#get(this.#pathOf(id), {});

  async getVersioned(id: string): Promise<VersionedConversation> {
    const response = await this.#transport.send({ method: 'GET', path: this.#pathOf(id), isRepeatable: true });
    return { conversation: await jsonOf(response), etag: response.headers.get('etag') ?? '' };
  }

  /** @param ifMatch changes only this version; another version is 412 `precondition_failed` */
  async update(id: string, change: ConversationChange, { ifMatch }: { ifMatch?: string } = {}): Promise<Conversation> {
    // The same change has the same effect a second time, except with `ifMatch`.
    const isRepeatable = ifMatch === undefined;
    const request = { method: 'PATCH', path: this.#pathOf(id), headers: { 'if-match': ifMatch }, json: change };
    return jsonOf(await this.#transport.send({ ...request, isRepeatable }));
  }

  messages = (id: string, query: ListMessagesParameters = {}): Promise<MessagePage> =>
    this.#get(`${this.#pathOf(id)}/messages`, query);

  /** Adds a message. Retries store it only once. */
  send = (id: string, message: NewMessage, { idempotencyKey = newKey() }: Repeatable = {}): Promise<Message> =>
    this.#post(`${this.#pathOf(id)}/messages`, message, idempotencyKey);

  /** @returns the id of the last message that the member has read */
  async markRead(id: string, messageId: string): Promise<string> {
    const mark = await this.#post<{ readonly messageId: string }>(`${this.#pathOf(id)}/read`, { messageId }, undefined);
    return mark.messageId;
  }

  async #get<Of>(address: string, query: Readonly<Record<string, unknown>>): Promise<Of> {
    return jsonOf(await this.#transport.send({ method: 'GET', path: address, query, isRepeatable: true }));
  }

  async #post<Of>(address: string, json: unknown, idempotencyKey: string | undefined): Promise<Of> {
    const headers = { 'idempotency-key': idempotencyKey };
    return jsonOf(await this.#transport.send({ method: 'POST', path: address, headers, json, isRepeatable: true }));
  }
}

const newKey = (): string => crypto.randomUUID();

/** Not validated: the service's tests check its answers against these types. */
const jsonOf = async <Of>(response: Response): Promise<Of> => (await response.json()) as Of;
