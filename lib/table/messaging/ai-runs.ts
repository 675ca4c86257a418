import type { Conversation, Message } from '#lib/domain/messaging/conversation.ts';
import { setting } from '../dynamodb/conditions.ts';
import { itemAfter } from '../dynamodb/is-made.ts';
import { ConditionFailed } from '../errors.ts';
import { type Item, type Key, Repository, type Table, type WorkspaceScope } from '../table.ts';
import { appendMessage, type ComposedMessage } from './append-message.ts';
import { messagingKeys } from './keys.ts';

/** The owner is treated as dead after this time without a renewal. */
export const leaseMilliseconds = 30_000;
/** How long a run is kept. A retry finds the finished reply by its run. */
const keptSeconds = 7 * 24 * 3_600;

/** The identity of a reply (lib/spec/decisions.md section 7). */
export interface ReplySubject {
  readonly conversationId: string;
  readonly agentId: string;
  /** The message answered. */
  readonly messageId: string;
}

/** One run that makes a reply. */
export interface AiRun {
  readonly status: 'running' | 'done' | 'failed';
  /** The process that makes the reply. Another process can take the run over. */
  readonly owner: string;
  /** In milliseconds since 1970. After this time the owner is treated as dead. */
  readonly leaseUntil: number;
  /** The id of the stored reply; absent before it is stored. */
  readonly replyId?: string;
  readonly failure?: string;
}

/** The runs of a workspace. Access pattern M2. */
export class AiRuns extends Repository {
  readonly #key: Key;
  readonly #conversationId: string;

  constructor(table: Table, scope: WorkspaceScope, { conversationId, agentId, messageId }: ReplySubject) {
    super(table, scope);
    this.#conversationId = conversationId;
    this.#key = messagingKeys.aiRun(scope.workspaceId, conversationId, agentId, messageId);
  }

  async read(): Promise<AiRun | undefined> {
    return (await this.table.uncached().get(this.#key)) as (Item & AiRun) | undefined;
  }

  /**
   * Claims the run, unless it is done or owned by a live process.
   * @param gone the id of the run's reply, if that was removed
   * @returns the current run; the claim succeeded if the caller is its owner
   */
  async claim(owner: string, gone = '', lease = leaseMilliseconds): Promise<AiRun> {
    const now = Date.now();
    const update = {
      UpdateExpression:
        'SET #status = :running, #owner = :owner, leaseUntil = :until, #ttl = :ttl REMOVE failure, replyId',
      ConditionExpression:
        'attribute_not_exists(pk) OR (#status = :failed AND #owner <> :owner) OR (#status = :running AND leaseUntil < :now) OR (#status = :done AND replyId = :gone)',
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
    };
    // After a lost reply, the stored run may be the caller's own.
    return (await itemAfter(this.table.update(this.#key, update))) as Item & AiRun;
  }

  /** @throws ConditionFailed if another process has the run now */
  async renew(owner: string): Promise<void> {
    await this.table.update(this.#key, setting({ leaseUntil: Date.now() + leaseMilliseconds }, ifRunning(owner)));
  }

  /**
   * Stores the reply after all messages of the conversation and ends the run, if the caller still owns it.
   * @param compose gets the conversation of the transaction; its errors are passed on
   * @throws ConditionFailed if another process owns the run; of `conversation` if that does not exist
   */
  async finish(owner: string, compose: (conversation: Conversation) => ComposedMessage): Promise<Message> {
    const appended = await appendMessage(this.table, this, this.#conversationId, (conversation) => {
      const composition = compose(conversation);
      return {
        ...composition,
        additionalWrites: (message, changed) => ({
          run: {
            Update: { Key: this.#key, ...setting({ status: 'done', replyId: message.id }, ifRunning(owner)) },
          },
          ...composition.additionalWrites?.(message, changed),
        }),
      };
    });
    if (!appended) throw new ConditionFailed(undefined, 'conversation');
    return appended.message;
  }

  /** Marks the run as failed. @returns the current run, which may be done nonetheless */
  async fail(owner: string, failure: string): Promise<AiRun | undefined> {
    const update = this.table.update(this.#key, setting({ status: 'failed', failure }, ifRunning(owner)));
    return (await itemAfter(update)) as (Item & AiRun) | undefined;
  }
}

/** Rejects writes of an owner that has lost the run. */
const ifRunning = (owner: string) => ({
  ConditionExpression: '#status = :running AND #owner = :owner',
  ExpressionAttributeValues: { ':running': 'running', ':owner': owner },
});
