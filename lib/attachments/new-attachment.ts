import { asciiNameOf, extensionOf, fileNameOf } from '#lib/domain/files/file-name.ts';
import { mediaTypeOf } from '#lib/domain/files/media-type.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { attachmentKey } from '#lib/domain/messaging/attachment-key.ts';
import { timedId } from '#lib/domain/text/timed-id.ts';

/** Untrusted name, type and size of a file as the caller sent them. */
export interface DeclaredFile {
  readonly name: string;
  readonly type: string | undefined;
  readonly size: number;
}

/** Makes an attachment with a new id and a new object key. */
export function newAttachment(workspaceId: string, declared: DeclaredFile): Attachment {
  const now = Date.now();
  const id = timedId('att', now);
  const createdAt = new Date(now).toISOString();
  const name = fileNameOf(declared.name);
  const s3Key = attachmentKey({ workspaceId, id, asciiName: asciiNameOf(name), createdAt });
  return { id, name, s3Key, ...mediaTypeOf(declared.type, extensionOf(name)), size: declared.size, createdAt };
}
