import type { CallBudget } from '#lib/ai/tool-loop.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { AiTokens, type ReservedTokens } from '#lib/table/messaging/ai-tokens.ts';
import type { Table } from '#lib/table/table.ts';
import { ReplyFailed } from './reply-failure.ts';

/** The share of the tokens of a day that the replies to one visitor may use. */
const visitorShare = 0.1;

/** The budgets of a reply: a call needs the tokens of each. */
export function budgetOf(budgets: readonly CallBudget[]): CallBudget {
  return {
    begin: async (tokens) => {
      let allowed: 'auto' | 'none' = 'auto';
      for (const [index, budget] of budgets.entries()) {
        try {
          if ((await budget.begin(tokens)) === 'none') allowed = 'none';
        } catch (error) {
          for (const begun of budgets.slice(0, index)) begun.end(0);
          throw error;
        }
      }
      return allowed;
    },
    end: (spent) => {
      for (const budget of budgets) budget.end(spent);
    },
  };
}

/**
 * The daily token budget of a workspace, as one reply uses it. Every model call reserves its tokens first. A call over
 * the limit is the last one and may not use tools. So a reply exceeds the limit by at most one call.
 */
export class TokenBudget implements CallBudget, AsyncDisposable {
  readonly #open: () => AiTokens;
  readonly #reply: string;
  readonly #perDay: number;
  readonly #failure: 'used_up' | 'share_used_up';
  #calls = 0;
  #reserved: ReservedTokens | undefined;
  #settled: Promise<void> | undefined;

  /**
   * @param tableFor opens the table for a call
   * @param reply unique for each attempt to make a reply
   * @param visitorId the customer of the visitor who wants the reply
   */
  constructor(tableFor: () => Table, scope: WorkspaceScope, reply: string, perDay: number, visitorId?: string) {
    this.#open = () => new AiTokens(tableFor(), scope, visitorId);
    this.#reply = reply;
    this.#perDay = visitorId === undefined ? perDay : Math.ceil(perDay * visitorShare);
    this.#failure = visitorId === undefined ? 'used_up' : 'share_used_up';
  }

  /** @throws ReplyFailed when nothing is left for the first call, Unavailable */
  async begin(tokens: number): Promise<'auto' | 'none'> {
    await this.#settled;
    const isFirst = this.#calls === 0;
    const call = { day: today(), owner: `${this.#reply} ${this.#calls++}`, tokens };
    if (await this.#reserve(call, this.#perDay - tokens + 1)) return 'auto';
    if (!(await this.#reserve(call, isFirst ? this.#perDay : Number.MAX_SAFE_INTEGER))) {
      throw new ReplyFailed(this.#failure, `The ${this.#perDay} tokens of the day are used up.`);
    }
    return 'none';
  }

  /** Starts to settle the call. If that fails, the full reservation stays counted. */
  end(spent: number): void {
    const call = this.#reserved;
    this.#reserved = undefined;
    if (call) {
      this.#settled = this.#open()
        .settle(call, spent)
        .catch(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#settled;
  }

  async #reserve(call: ReservedTokens, below: number): Promise<boolean> {
    const isMade = await this.#open().reserve(call, below);
    if (isMade) this.#reserved = call;
    return isMade;
  }
}

/** The day in UTC, such as `2026-11-20`. */
const today = (): string => new Date().toISOString().slice(0, 10);
