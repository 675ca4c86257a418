import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';

const keptSeconds = 8 * 24 * 3_600;

/** Tokens of a day that one call of a model has reserved. */
export interface ReservedTokens {
  /** In UTC, as `2026-11-20`. */
  readonly day: string;
  /** Unique for each call of a model. */
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
   * Counts tokens before they are spent, so that parallel replies see each other.
   * @param below the reservation is made only while fewer tokens than this are counted
   * @returns whether it was made
   * @throws Unavailable
   */
  async reserve({ day, owner, tokens }: ReservedTokens, below: number): Promise<boolean> {
    if (below <= 0) return false;
    try {
      await this.#table.update(keys.aiTokens(this.#scope.workspaceId, day), {
        UpdateExpression: 'SET #owner = :tokens, #ttl = :ttl ADD tokens :tokens',
        ConditionExpression: 'attribute_not_exists(#owner) AND (attribute_not_exists(tokens) OR tokens < :below)',
        ExpressionAttributeNames: { '#owner': nameOf(owner), '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':tokens': tokens,
          ':below': below,
          ':ttl': Math.ceil(Date.parse(day) / 1_000) + keptSeconds,
        },
      });
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // The first try may have been applied and its answer lost.
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
