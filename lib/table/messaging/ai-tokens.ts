import { isMade, itemAfter } from '../dynamodb/is-made.ts';
import { Repository, type Table, type WorkspaceScope } from '../table.ts';
import { messagingKeys } from './keys.ts';

const keptSeconds = 8 * 24 * 3_600;

/** Tokens of a day that one call of a model has reserved. */
export interface ReservedTokens {
  /** In UTC, as `2026-11-20`. */
  readonly day: string;
  /** Unique for each call of a model. */
  readonly owner: string;
  readonly tokens: number;
}

/** The tokens of a workspace's replies by day, with the reservations of replies in progress. Access pattern M5. */
export class AiTokens extends Repository {
  readonly #visitorId: string | undefined;

  /** @param visitorId the customer of a visitor, whose share is counted; else those of all replies */
  constructor(table: Table, scope: WorkspaceScope, visitorId?: string) {
    super(table, scope);
    this.#visitorId = visitorId;
  }

  /**
   * Reserves tokens before they are spent, so that parallel replies see each other's.
   * @param below the limit of the count before the reservation
   * @returns true if it was made
   * @throws Unavailable
   */
  async reserve({ day, owner, tokens }: ReservedTokens, below: number): Promise<boolean> {
    if (below <= 0) return false;
    const update = {
      UpdateExpression: 'SET #owner = :tokens, #ttl = :ttl ADD tokens :tokens',
      ConditionExpression: 'attribute_not_exists(#owner) AND (attribute_not_exists(tokens) OR tokens < :below)',
      ExpressionAttributeNames: { '#owner': nameOf(owner) },
      ExpressionAttributeValues: {
        ':tokens': tokens,
        ':below': below,
        ':ttl': Math.ceil(Date.parse(day) / 1_000) + keptSeconds,
      },
    };
    // The first try may have been applied although its reply was lost.
    return (await itemAfter(this.table.update(this.#key(day), update)))?.[nameOf(owner)] !== undefined;
  }

  #key = (day: string) => messagingKeys.aiTokens(this.workspaceId, day, this.#visitorId);

  /** Replaces a reservation by the spent tokens. A retry does not count them again. @throws Unavailable */
  async settle({ day, owner, tokens }: ReservedTokens, spent: number): Promise<void> {
    const update = {
      UpdateExpression: 'ADD tokens :difference REMOVE #owner',
      ConditionExpression: 'attribute_exists(#owner)',
      ExpressionAttributeNames: { '#owner': nameOf(owner) },
      ExpressionAttributeValues: { ':difference': spent - tokens },
    };
    await isMade(this.table.update(this.#key(day), update));
  }
}

/** Each reservation is a separate attribute, so that a retry recognises its own write. */
const nameOf = (owner: string): string => `by ${owner}`;
