import type { Message } from '#lib/domain/messaging/conversation.ts';
import { setting } from '../dynamodb/conditions.ts';
import { itemAfter } from '../dynamodb/is-made.ts';
import { Repository, type Table, type WorkspaceScope } from '../table.ts';
import { messagingKeys } from './keys.ts';

/** The owner of read marks. */
export interface Reader {
  readonly type: 'member' | 'customer';
  readonly id: string;
}

/** The read marks of one reader in a workspace. Access pattern M9. */
export class ReadMarks extends Repository {
  readonly #reader: Reader;

  constructor(table: Table, scope: WorkspaceScope, reader: Reader) {
    super(table, scope);
    this.#reader = reader;
  }

  /** The last message that the reader has read, with its sort key in the conversation. */
  async find(conversationId: string) {
    const item = await this.table.get(this.#key(conversationId));
    return item && { messageId: String(item['messageId']), sortKey: String(item['place']) };
  }

  /** Moves a mark forward, never back. @returns the id of the marked message */
  async move(sortKey: string, { id, conversationId }: Pick<Message, 'id' | 'conversationId'>): Promise<string> {
    const isForward = { ConditionExpression: 'attribute_not_exists(pk) OR #place < :place' };
    const update = setting({ messageId: id, place: sortKey }, isForward);
    const item = await itemAfter(this.table.update(this.#key(conversationId), update));
    return String(item?.['messageId'] ?? id);
  }

  #key = (conversationId: string) => messagingKeys.readMark(this.workspaceId, this.#reader, conversationId);
}
