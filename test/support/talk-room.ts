import { type Answer, call } from './call.ts';
import { type ChatRoom, openChatRoom } from './chat-room.ts';
import type { Document } from './world.ts';

const permissions = ['messaging:conversation:read', 'messaging:conversation:engage'];

/** A chat room for the routes of conversations. `key` belongs to `mem_1`, and `reader` may only read. */
export interface TalkRoom extends ChatRoom {
  readonly reader: string;
  /** A key of `mem_3`. */
  readonly other: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  open(body: object, headers?: Record<string, string>): Promise<Answer>;
  say(conversationId: string, body: object, headers?: Record<string, string>): Promise<Answer>;
}

export const conversations = '/api/v1/connect/conversations';

export async function openTalkRoom(change: (document: Document) => void = () => undefined): Promise<TalkRoom> {
  const room = await openChatRoom((document) => {
    const { id } = document.workspace;
    document.members[0].permissions = permissions;
    document.members.push({ id: 'mem_3', name: 'Reem', permissions });
    document.members.push({ id: 'mem_gone', name: 'Gone', active: false, permissions });
    document.apiKeys[0].permissions = permissions;
    document.apiKeys.push(
      { id: 'key_reader', name: 'Reader', secret: `reader-${id}`, memberId: 'mem_1', permissions: [permissions[0]] },
      { id: 'key_other', name: 'Other', secret: `other-${id}`, memberId: 'mem_3', permissions },
    );
    document.messaging.customers.push({ id: 'cus_2', externalId: 'crm-2', name: 'Omar' });
    document.attachments = [1, 2].map((number) => ({
      id: `att_${number}`,
      name: `menu ${number}.pdf`,
      s3Key: `workspaces/${id}/drive/messaging/2026-01/att_${number}/menu.pdf`,
      type: 'application/pdf',
      size: 10 * number,
      createdAt: '2026-01-01T00:00:00.000Z',
    }));
    change(document);
  });
  const { key, workspaceId } = room;
  const send: TalkRoom['send'] = (method, path, body, headers = {}) =>
    call(`${method} ${conversations}${path}`, { key, headers, ...(body !== undefined && { body }) });
  return {
    ...room,
    reader: `reader-${workspaceId}`,
    other: `other-${workspaceId}`,
    send,
    open: (body, headers) => send('POST', '', body, headers),
    say: (conversationId, body, headers) => send('POST', `/${conversationId}/messages`, body, headers),
  };
}
