import { assetNotFound, readStored } from '#lib/attachments/read-asset.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { asciiNameOf } from '#lib/domain/files/file-name.ts';
import { mediaTypeOf } from '#lib/domain/files/media-type.ts';
import { type Attachment, isKeyOfWorkspace } from '#lib/domain/messaging/attachment.ts';
import { objectSize } from '#lib/files/read-file.ts';
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
    const whole = (etag: string) => assetHeaders(attachment, etag);
    return readStored(attachment, { method, headers }, { always: cacheHeaders, whole });
  },
  // The early read, before the key is checked: without an `objectSize` it stores nothing.
  async ({ principal, table, params: { key } }) =>
    isKeyOfWorkspace(key, principal.workspaceId) && new Attachments(table, principal).findByKey(key),
);

/** What a browser shows without a program of its own for it, such as a viewer of PDF. */
const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain'];

/**
 * Headers for the safe delivery of an untrusted file (lib/spec/decisions.md section 6). The browser runs no script in
 * it and does not infer another type.
 */
function assetHeaders(attachment: Attachment, etag: string): Record<string, string> {
  const { name, size } = attachment;
  const { type, charset = 'utf-8' } = { ...attachment, ...mediaTypeOf(attachment.type, '') };
  return {
    'content-type': type.startsWith('text/') ? `${type}; charset=${charset}` : type,
    'content-disposition': contentDisposition(shownTypes.includes(type) ? 'inline' : 'attachment', name),
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    'x-file-size': String(size),
    ...cacheHeaders(etag),
  };
}

/** Headers of every response about a file, including 304. */
const cacheHeaders = (etag: string): Record<string, string> => ({
  etag,
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
});

/** An ASCII name for every client, and the full name for clients of RFC 6266. */
function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${asciiNameOf(name)}"; filename*=UTF-8''${encoded}`;
}
