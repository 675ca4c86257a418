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
export interface StoredChat {
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
