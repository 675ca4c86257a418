import { Calls, type ClientRequest, segment } from './transport.ts';
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
  VisitorSession,
  VisitorSessionInput,
} from './types.ts';

const path = '/api/v1/connect/conversations';
const pathOf = (id: string): string => `${path}/${segment(id)}`;

interface Repeatable {
  /** Identifies this call, so that the whole call can be repeated later. @default a random one */
  readonly idempotencyKey?: string;
}

type IfMatch = Pick<ClientRequest, 'ifMatch'>;

/** A conversation with the version for `ifMatch`. */
export interface VersionedConversation {
  readonly conversation: Conversation;
  readonly etag: string;
}

/** Conversations and their messages. */
export class ConversationCalls extends Calls {
  list = (query: ListConversationsParameters = {}): Promise<ConversationPage> => this.transport.get(path, query);

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
  open = (json: ConversationInput, { idempotencyKey = newKey() }: Repeatable = {}): Promise<Conversation> =>
    this.transport.json({ method: 'POST', path, json, idempotencyKey });

  get = (id: string): Promise<Conversation> => this.transport.get(pathOf(id));

  getVersioned = (id: string): Promise<VersionedConversation> => this.#versioned({ method: 'GET', path: pathOf(id) });

  /** @param ifMatch changes only this version; another version is 412 `precondition_failed` */
  update = (id: string, json: ConversationChange, options?: IfMatch): Promise<Conversation> =>
    this.updateVersioned(id, json, options).then(({ conversation }) => conversation);

  /** Like `update`, with the version that the change has made. */
  updateVersioned(id: string, json: ConversationChange, { ifMatch }: IfMatch = {}): Promise<VersionedConversation> {
    // The same change has the same effect a second time, except with `ifMatch`.
    const isRepeatable = ifMatch === undefined;
    return this.#versioned({ method: 'PATCH', path: pathOf(id), ifMatch, json, isRepeatable });
  }

  messages = (id: string, query: ListMessagesParameters = {}): Promise<MessagePage> =>
    this.transport.get(`${pathOf(id)}/messages`, query);

  /** Adds a message. Retries store it only once. */
  send = (id: string, json: NewMessage, { idempotencyKey = newKey() }: Repeatable = {}): Promise<Message> =>
    this.transport.json({ method: 'POST', path: `${pathOf(id)}/messages`, json, idempotencyKey });

  /** @returns the id of the last message that the member has read */
  async markRead(id: string, messageId: string): Promise<string> {
    const request = { method: 'POST', path: `${pathOf(id)}/read`, json: { messageId }, isRepeatable: true };
    return (await this.transport.json<{ readonly messageId: string }>(request)).messageId;
  }

  async #versioned(request: ClientRequest): Promise<VersionedConversation> {
    const { value, etag } = await this.transport.versioned<Conversation>(request);
    return { conversation: value, etag };
  }
}

const newKey = (): string => crypto.randomUUID();

/** Sessions of a website's visitors. The browser gets the session's token; the API key stays on the server. */
export class VisitorSessionCalls extends Calls {
  /** Without `customer.externalId` the visitor is a new anonymous customer, so no call is repeated after 503. */
  open = (session: VisitorSessionInput): Promise<VisitorSession> =>
    this.#post(session, session.customer?.externalId != null);

  /** A new token for the same conversation, until 30 days after the token's end. Another token is 404. */
  renew = (token: string): Promise<VisitorSession> => this.#post({ renew: token }, true);

  #post = (json: object, isRepeatable: boolean): Promise<VisitorSession> =>
    this.transport.json({ method: 'POST', path: '/api/v1/connect/visitor-sessions', json, isRepeatable });
}
