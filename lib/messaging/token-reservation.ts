import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { AiTokens, type ReservedTokens } from '#lib/table/ai-tokens.ts';
import type { Table } from '#lib/table/table.ts';
import { ReplyFailed } from './reply-failure.ts';

/** What a reply takes of its workspace's tokens of the day; disposed of when it is settled, if it has to be. */
export class TokenReservation implements AsyncDisposable {
  readonly #open: () => AiTokens;
  readonly #owner: string;
  #reserved: ReservedTokens | undefined;
  #settled: Promise<void> | undefined;

  /** @param tableFor opens the table for a call */
  constructor(tableFor: () => Table, scope: WorkspaceScope, owner: string) {
    this.#open = () => new AiTokens(tableFor(), scope);
    this.#owner = owner;
  }

  /** @throws ReplyFailed when the day's tokens are used up, Unavailable */
  async reserve(tokens: number, perDay: number): Promise<void> {
    const reserved = { day: new Date().toISOString().slice(0, 10), owner: this.#owner, tokens };
    if (!(await this.#open().reserve(reserved, perDay))) {
      throw new ReplyFailed('used_up', `The workspace has used up its ${perDay} tokens of the day.`);
    }
    this.#reserved = reserved;
  }

  /** Begins to settle; a reservation that cannot be settled stays counted as it was made. */
  settle(spent: number): void {
    if (!this.#reserved) return;
    this.#settled = this.#open()
      .settle(this.#reserved, spent)
      .catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#settled;
  }
}
