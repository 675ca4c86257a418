import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { ConditionFailed } from './errors.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

const keptSeconds = 8 * 24 * 3_600;

/** What a reply that is being made has reserved of a day's tokens. */
export interface ReservedTokens {
  /** In UTC, as `2026-11-20`. */
  readonly day: string;
  /** Of the reply's run. */
  readonly owner: string;
  readonly tokens: number;
}

/** The tokens that the replies of a workspace take, day by day, with what those under way have reserved. Pattern M5. */
export class AiTokens {
  readonly #table: Table;
  readonly #scope: WorkspaceScope;

  constructor(table: Table, scope: WorkspaceScope) {
    this.#table = table;
    this.#scope = scope;
  }

  /**
   * Counts tokens before they are spent, so that replies at the same time see each other. The last reply that begins
   * may go beyond what is left, since what is left would else never be of use.
   * @returns whether there was anything left
   * @throws Unavailable
   */
  async reserve({ day, owner, tokens }: ReservedTokens, perDay: number): Promise<boolean> {
    try {
      await this.#table.update(keys.aiTokens(this.#scope.workspaceId, day), {
        UpdateExpression: 'SET #owner = :tokens, #ttl = :ttl ADD tokens :tokens',
        ConditionExpression: 'attribute_not_exists(#owner) AND (attribute_not_exists(tokens) OR tokens < :perDay)',
        ExpressionAttributeNames: { '#owner': nameOf(owner), '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':tokens': tokens,
          ':perDay': perDay,
          ':ttl': Math.ceil(Date.parse(day) / 1_000) + keptSeconds,
        },
      });
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Only the answer to the first try was lost, not what it did.
      return error.item?.[nameOf(owner)] !== undefined;
    }
  }

  /**
   * Counts what was spent instead of what was reserved. It counts once, however often it is tried.
   * @throws Unavailable
   */
  async settle({ day, owner, tokens }: ReservedTokens, spent: number): Promise<void> {
    try {
      await this.#table.update(keys.aiTokens(this.#scope.workspaceId, day), {
        UpdateExpression: 'ADD tokens :difference REMOVE #owner',
        ConditionExpression: 'attribute_exists(#owner)',
        ExpressionAttributeNames: { '#owner': nameOf(owner) },
        ExpressionAttributeValues: { ':difference': spent - tokens },
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}

/** Each reservation is an attribute of its own, by which a repeated write tells that it was done. */
const nameOf = (owner: string): string => `by ${owner}`;
