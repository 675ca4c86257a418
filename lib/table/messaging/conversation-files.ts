import type { Message } from '#lib/domain/messaging/conversation.ts';
import { type Item, Repository, type Table, type WorkspaceScope } from '../table.ts';
import { messagingKeys } from './keys.ts';

/** The access of visitors to files of their conversation (lib/spec/additions.md section 4). Access patterns M10 and M11. */
export class ConversationFiles extends Repository {
  readonly #conversationId: string;

  constructor(table: Table, scope: WorkspaceScope, conversationId: string) {
    super(table, scope);
    this.#conversationId = conversationId;
  }

  /** Whether a visitor of the conversation has uploaded the file. */
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
