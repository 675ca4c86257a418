import type { CallBudget } from '#lib/ai/tool-loop.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { AiTokens, type ReservedTokens } from '#lib/table/messaging/ai-tokens.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { ReplyFailed } from './reply-failure.ts';

/** The share of the tokens of a day that the replies to one visitor may use. */
const visitorShare = 0.1;

/** A count of tokens with its limit. */
interface Counter {
  readonly open: () => AiTokens;
  readonly perDay: number;
  readonly failure: 'used_up' | 'share_used_up';
}

/**
 * The daily token budget of a workspace, as one reply uses it, and the share of its visitor. Every model call reserves
 * its tokens first. A call over a limit is the last one and may not use tools. So a reply exceeds it by at most one call.
 */
export class TokenBudget implements CallBudget, AsyncDisposable {
  readonly #counters: readonly Counter[];
  readonly #reply: string;
  #calls = 0;
  #reserved: { readonly counter: Counter; readonly call: ReservedTokens }[] = [];
  #settled: Promise<unknown> | undefined;

  /**
   * @param tableFor opens the table for a call
   * @param scope its visitor wants the reply
   * @param reply unique for each attempt to make a reply
   */
  constructor(
    tableFor: () => Table,
    scope: WorkspaceScope & Pick<Principal, 'visitor'>,
    reply: string,
    perDay: number,
  ) {
    const visitorId = scope.visitor?.customerId;
    const share = { perDay: Math.ceil(perDay * visitorShare), failure: 'share_used_up' } as const;
    this.#counters = [
      ...(visitorId === undefined ? [] : [{ ...share, open: () => new AiTokens(tableFor(), scope, visitorId) }]),
      { perDay, failure: 'used_up', open: () => new AiTokens(tableFor(), scope) },
    ];
    this.#reply = reply;
  }

  /** @throws ReplyFailed when nothing is left for the first call, Unavailable */
  async begin(tokens: number): Promise<'auto' | 'none'> {
    await this.#settled;
    const isFirst = this.#calls === 0;
    const call = { day: new Date().toISOString().slice(0, 10), owner: `${this.#reply} ${this.#calls++}`, tokens };
    let allowed: 'auto' | 'none' = 'auto';
    for (const counter of this.#counters) {
      const { perDay, failure } = counter;
      if (await this.#reserve(counter, call, perDay - tokens + 1)) continue;
      allowed = 'none';
      if (await this.#reserve(counter, call, isFirst ? perDay : Number.MAX_SAFE_INTEGER)) continue;
      throw new ReplyFailed(failure, `The ${perDay} tokens of the day are used up.`);
    }
    return allowed;
  }

  /** Starts to settle the call. If that fails, the full reservation stays counted. */
  end(spent: number): void {
    const settling = this.#reserved.map(({ counter, call }) => counter.open().settle(call, spent));
    this.#reserved = [];
    if (settling.length > 0) this.#settled = Promise.allSettled(settling);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The call whose reservation failed did not begin.
    this.end(0);
    await this.#settled;
  }

  async #reserve(counter: Counter, call: ReservedTokens, below: number): Promise<boolean> {
    const isMade = await counter.open().reserve(call, below);
    if (isMade) this.#reserved.push({ counter, call });
    return isMade;
  }
}
