import { assetNotFound, readAsset } from '#lib/attachments/read-asset.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { isKeyOfWorkspace } from '#lib/domain/messaging/attachment.ts';
import { objectSize } from '#lib/files/object-size.ts';
import { permissionDenied } from '#lib/http/errors.ts';
import { streamApi } from '#lib/http/stream-api.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { ConversationFiles } from '#lib/table/messaging/conversation-files.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import type { Table } from '#lib/table/table.ts';
import { endpoint } from './endpoint.ts';

/** Whether a visitor may read a file: it must belong to the token's conversation. */
async function mayVisitorRead(table: Table, principal: Principal, attachmentId: string): Promise<boolean> {
  const { visitor } = principal;
  if (!visitor) return true;
  const [conversation, isReadable] = await Promise.all([
    new Conversations(table, principal).find(visitor.conversationId),
    new ConversationFiles(table.uncached(), principal, visitor.conversationId).isReadable(attachmentId),
  ]);
  return conversation !== undefined && isReadable;
}

export const handler = streamApi(
  endpoint,
  async ({ principal, table, params, method, headers, logDetails }) => {
    if (!isKeyOfWorkspace(params.key, principal.workspaceId)) {
      if (principal.visitor) throw assetNotFound();
      throw permissionDenied('This file does not belong to this workspace.');
    }
    const attachment = await new Attachments(table, principal).findByKey(params.key, objectSize);
    if (!attachment || !(await mayVisitorRead(table, principal, attachment.id))) throw assetNotFound();
    logDetails['attachmentId'] = attachment.id;
    return readAsset(attachment, { method, headers });
  },
  // The early read, before the key is checked: without an `objectSize` it stores nothing.
  async ({ principal, table, params: { key } }) =>
    isKeyOfWorkspace(key, principal.workspaceId) && new Attachments(table, principal).findByKey(key),
);
