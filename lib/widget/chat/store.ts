/** The answer of `visitor-sessions` (lib/spec/additions.md section 4). */
export interface Session {
  readonly token: string;
  readonly expiresAt: string;
  readonly conversationId: string;
  readonly customerId: string;
  readonly agentId: string | null;
}

/** A message on its way; its key makes a repetition harmless. */
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
  /** Known once the file is stored. */
  readonly id?: string;
  /** Does not outlive the page. */
  readonly content?: Blob;
}

/** The data that outlives the page. */
export interface Kept {
  /** The customer that the site names as the visitor. */
  readonly visitor?: string;
  readonly session?: Session;
  readonly draft?: string;
  readonly pending?: readonly Pending[];
  /** The newest message that the visitor has seen. */
  readonly seen?: string;
}

/** The data that the browser keeps for one session address; all tabs share it. */
export class Store {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'> | undefined;
  readonly key: string;
  /** Values that the browser has refused to keep. */
  #own: string | undefined;

  /** @param storage without one, nothing outlives the page */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined, address: string) {
    this.#storage = storage;
    this.key = `workspace-chat ${address}`;
  }

  read(): Kept {
    try {
      const kept: unknown = JSON.parse(this.#text() ?? '{}');
      return typeof kept === 'object' && kept !== null ? kept : {};
    } catch {
      return {};
    }
  }

  /** Another tab may have changed what is kept, so that it is read each time. */
  change(change: (kept: Kept) => Kept): void {
    const text = JSON.stringify(change(this.read()));
    this.#own = this.#keeps(text) ? undefined : text;
  }

  #keeps(text: string): boolean {
    try {
      this.#storage?.setItem(this.key, text);
      return this.#storage !== undefined;
    } catch {
      // Full or forbidden.
      return false;
    }
  }

  #text(): string | null {
    if (this.#own !== undefined) return this.#own;
    try {
      return this.#storage?.getItem(this.key) ?? null;
    } catch {
      return null;
    }
  }
}
