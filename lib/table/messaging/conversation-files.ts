import { randomUUID } from 'node:crypto';
import type { Message } from '#lib/domain/messaging/conversation.ts';
import { isStored, setting } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { type Item, Repository, type Table, type TransactItem, type WorkspaceScope } from '../table.ts';
import { messagingKeys } from './keys.ts';

/** The access of visitors to files of their conversation (lib/spec/additions.md section 4). Access patterns M10 and M11. */
export class ConversationFiles extends Repository {
  readonly #conversationId: string;

  constructor(table: Table, scope: WorkspaceScope, conversationId: string) {
    super(table, scope);
    this.#conversationId = conversationId;
  }

  async isUploaded(attachmentId: string): Promise<boolean> {
    const key = messagingKeys.uploadedFile(this.workspaceId, this.#conversationId, attachmentId);
    return (await this.table.get(key)) !== undefined;
  }

  /** Whether a visitor of the conversation has uploaded the file, or a message of it names the file. */
  async isReadable(attachmentId: string): Promise<boolean> {
    const key = messagingKeys.namedFile(this.workspaceId, this.#conversationId, attachmentId);
    const [isUploaded, named] = await Promise.all([this.isUploaded(attachmentId), this.table.get(key)]);
    return isUploaded || named !== undefined;
  }
}

/** The items for the files of a message, to be written with it. */
export const namedFileItems = (
  workspaceId: string,
  { conversationId, attachments }: Pick<Message, 'conversationId' | 'attachments'>,
): Item[] => attachments.map((id) => ({ ...messagingKeys.namedFile(workspaceId, conversationId, id) }));

/** A transaction has 100 items, and those of a file are a few. */
const pagesMax = 80;

/**
 * Parts of the transaction that changes or removes a file. They give the pages of messages that show it new tags. Of
 * more conversations than fit, the last ones get them: ids of the service begin with their time.
 */
export async function newPageTags(
  reads: Table,
  { workspaceId }: WorkspaceScope,
  attachmentId: string,
): Promise<TransactItem[]> {
  const pk = messagingKeys.namesOfFile(workspaceId, attachmentId);
  const names = await reads.all({ pk, descending: true, atMost: pagesMax });
  const stored = await Promise.all(names.map(({ sk }) => reads.get(keys.record(workspaceId, 'conversation', sk))));
  return stored.flatMap((item) => (item ? [newPageTag(item)] : []));
}

const newPageTag = ({ pk, sk }: Item): TransactItem => ({
  Update: { Key: { pk, sk }, ...setting({ revision: randomUUID() }, isStored) },
});
