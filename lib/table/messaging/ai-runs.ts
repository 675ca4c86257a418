import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import type { Message } from '#lib/domain/messaging/message.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { Table } from '../table.ts';
import { appendMessage, type ComposedMessage } from './append-message.ts';

/** Time without a renewal after which the owner counts as dead. */
export const leaseMilliseconds = 30_000;
/** A finished reply is found by its message; until then the run must not be forgotten. */
const keptSeconds = 7 * 24 * 3_600;

/** The identity of a reply (lib/spec/decisions.md section 7). */
export interface ReplySubject {
  readonly conversationId: string;
  readonly agentId: string;
  /** The message answered. */
  readonly messageId: string;
}

/** The making of a reply. */
export interface AiRun {
  readonly status: 'running' | 'done' | 'failed';
  /** The process that makes it. Another process may claim it and so take it over. */
  readonly owner: string;
  /** Milliseconds since 1970; then the owner counts as dead. */
  readonly leaseUntil: number;
  /** The id that the reply has; it gets it with its place in the conversation. */
  readonly replyId?: string;
  /** Why it has failed. */
  readonly failure?: string;
}

/** The runs of a workspace. Access pattern M2. */
export class AiRuns {
  readonly #table: Table;
  readonly #scope: WorkspaceScope;
  readonly #key: Key;
  readonly #conversationId: string;

  constructor(table: Table, scope: WorkspaceScope, { conversationId, agentId, messageId }: ReplySubject) {
    this.#table = table;
    this.#conversationId = conversationId;
    this.#scope = scope;
    this.#key = keys.aiRun(scope.workspaceId, conversationId, agentId, messageId);
  }

  async read(): Promise<AiRun | undefined> {
    return (await this.#table.fresh().get(this.#key)) as (Item & AiRun) | undefined;
  }

  /**
   * Claims the run, unless it is done or a live process has it.
   * @param gone the id of the run's reply, if that was removed
   * @returns the current run; the claim succeeded if the caller is its owner
   */
  async claim(owner: string, gone = '', lease = leaseMilliseconds): Promise<AiRun> {
    const now = Date.now();
    try {
      return (await this.#table.update(this.#key, {
        UpdateExpression:
          'SET #status = :running, #owner = :owner, leaseUntil = :until, #ttl = :ttl REMOVE failure, replyId',
        ConditionExpression:
          'attribute_not_exists(pk) OR (#status = :failed AND #owner <> :owner) OR (#status = :running AND leaseUntil < :now) OR (#status = :done AND replyId = :gone)',
        ExpressionAttributeNames: { '#status': 'status', '#owner': 'owner', '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':running': 'running',
          ':failed': 'failed',
          ':done': 'done',
          ':owner': owner,
          ':until': now + lease,
          ':gone': gone,
          ':now': now,
          ':ttl': Math.ceil(now / 1_000) + keptSeconds,
        },
      })) as Item & AiRun;
    } catch (error) {
      // It may be the claimant's own, when the reply to its claim was lost; what has become of that stays as it is.
      if (error instanceof ConditionFailed && error.item) return error.item as unknown as AiRun;
      throw error;
    }
  }

  /** @throws ConditionFailed if another process has the run now */
  async renew(owner: string, lease = leaseMilliseconds): Promise<void> {
    await this.#table.update(this.#key, {
      UpdateExpression: 'SET leaseUntil = :until',
      ...ifRunning(owner, { ':until': Date.now() + lease }),
    });
  }

  /**
   * Stores the reply behind all messages of the conversation and ends the run, as long as it is the owner's.
   * @param compose judges the conversation as it is in the transaction; what it throws is thrown
   * @throws ConditionFailed when the run is somebody else's by now, or the conversation is gone
   */
  async finish(owner: string, compose: (conversation: Conversation) => ComposedMessage): Promise<Message> {
    const TableName = this.#table.name;
    const appended = await appendMessage(this.#table, this.#scope, this.#conversationId, (conversation) => {
      const composition = compose(conversation);
      return {
        ...composition,
        extra: (message, changed) => ({
          run: {
            Update: {
              TableName,
              Key: this.#key,
              UpdateExpression: 'SET #status = :done, replyId = :replyId',
              ...ifRunning(owner, { ':done': 'done', ':replyId': message.id }),
            },
          },
          ...composition.extra?.(message, changed),
        }),
      };
    });
    if (!appended) throw new ConditionFailed();
    return appended.message;
  }

  /** Says that the owner has failed. @returns the run as it is now, which may be done after all */
  async fail(owner: string, failure: string): Promise<AiRun | undefined> {
    try {
      return (await this.#table.update(this.#key, {
        UpdateExpression: 'SET #status = :failed, failure = :failure',
        ...ifRunning(owner, { ':failed': 'failed', ':failure': failure }),
      })) as Item & AiRun;
    } catch (error) {
      if (error instanceof ConditionFailed) return error.item as unknown as AiRun | undefined;
      throw error;
    }
  }
}

/** No write of an owner who has lost the run comes through. */
const ifRunning = (owner: string, values: Readonly<Record<string, unknown>>) => ({
  ConditionExpression: '#status = :running AND #owner = :owner',
  ExpressionAttributeNames: { '#status': 'status', '#owner': 'owner' },
  ExpressionAttributeValues: { ':running': 'running', ':owner': owner, ...values },
});
