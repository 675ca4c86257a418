/** A message as a visitor sees it (lib/spec/additions.md section 4). */
export interface Message {
  readonly id: string;
  readonly senderType: 'customer' | 'agent' | 'member' | 'system';
  readonly text: string;
  readonly attachments: readonly MessageFile[];
  readonly createdAt: string;
  readonly inReplyTo?: string;
}

export interface MessageFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly s3Key: string;
}

/** A page of messages, with the state of their conversation. */
export interface MessagePage {
  readonly data: readonly Message[];
  readonly hasMore: boolean;
  readonly status: string;
  readonly assigneeType: 'agent' | 'member' | null;
}

/** The messages of a conversation in order, without duplicates. */
export class Thread {
  #messages: readonly Message[] = [];

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Adds or replaces messages. @returns the new ones */
  add(messages: readonly Message[]): Message[] {
    const byId = new Map(this.#messages.map((message) => [message.id, message]));
    const fresh = messages.filter(({ id }) => !byId.has(id));
    for (const message of messages) byId.set(message.id, message);
    this.#messages = [...byId.values()].sort(byTime);
    return fresh;
  }

  /** The message that needs a reply: the newest one, if the visitor sent it and it has no reply. */
  unanswered(): Message | undefined {
    const last = this.#messages.findLast(({ senderType }) => senderType === 'customer');
    if (!last || this.hasReplyTo(last.id)) return undefined;
    const later = this.#messages.slice(this.#messages.indexOf(last) + 1);
    return later.some(({ senderType }) => senderType === 'member') ? undefined : last;
  }

  hasReplyTo(id: string): boolean {
    return this.#messages.some(({ inReplyTo }) => inReplyTo === id);
  }

  /** Counts the messages of the other side after a message; all of them, if the message is missing. */
  unreadAfter(id: string | undefined): number {
    const from = this.#messages.findIndex((message) => message.id === id) + 1;
    return this.#messages.slice(from).filter(({ senderType }) => senderType !== 'customer').length;
  }
}

const byTime = (a: Message, b: Message): number =>
  Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.id < b.id ? -1 : 1);

/** True when an agent answers now, and not the team (lib/spec/additions.md section 3, "Hand-over"). */
export const agentAnswers = ({ status, assigneeType }: Pick<MessagePage, 'status' | 'assigneeType'>): boolean =>
  assigneeType !== 'member' && (status === 'open' || (status === 'pending' && assigneeType === 'agent'));

/** The answer of `visitor-sessions` (lib/spec/additions.md section 4). */
export interface Session {
  readonly token: string;
  readonly expiresAt: string;
  readonly conversationId: string;
  readonly customerId: string;
  readonly agentId: string | null;
}

/** An unsent message. Its key makes retries safe. */
export interface Pending {
  readonly key: string;
  readonly text: string;
  readonly files: readonly PendingFile[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface PendingFile {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Present after the file is stored. */
  readonly id?: string;
  /** Lost with the page. */
  readonly content?: Blob;
}

/** The data that survives a reload. */
interface StoredChat {
  /** The visitor's customer id of the site. */
  readonly visitor?: string;
  readonly session?: Session;
  readonly draft?: string;
  readonly pending?: readonly Pending[];
  /** The newest message that the visitor has seen. */
  readonly seen?: string;
}

/** The stored data of one session address. All tabs share it. */
export class Store {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'> | undefined;
  readonly key: string;
  /** Data that the browser could not store. */
  #unstored: string | undefined;

  /** @param storage undefined keeps the data in memory */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined, address: string) {
    this.#storage = storage;
    this.key = `workspace-chat ${address}`;
  }

  read(): StoredChat {
    try {
      const kept: unknown = JSON.parse(this.#text() ?? '{}');
      return typeof kept === 'object' && kept !== null ? kept : {};
    } catch {
      return {};
    }
  }

  /** Reads the data before each change, because another tab may have changed it. */
  change(change: (kept: StoredChat) => StoredChat): void {
    const text = JSON.stringify(change(this.read()));
    this.#unstored = this.#writes(text) ? undefined : text;
  }

  #writes(text: string): boolean {
    try {
      this.#storage?.setItem(this.key, text);
      return this.#storage !== undefined;
    } catch {
      // The storage is full or forbidden.
      return false;
    }
  }

  #text(): string | null {
    if (this.#unstored !== undefined) return this.#unstored;
    try {
      return this.#storage?.getItem(this.key) ?? null;
    } catch {
      return null;
    }
  }
}
