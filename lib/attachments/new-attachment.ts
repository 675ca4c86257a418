import { randomBytes } from 'node:crypto';
import type { Attachment } from '#lib/domain/attachment.ts';
import { attachmentId } from '#lib/domain/attachment-id.ts';
import { attachmentKey } from '#lib/domain/attachment-key.ts';
import { extensionOf, fileNameOf } from '#lib/domain/file-name.ts';
import { mediaTypeOf } from '#lib/domain/media-type.ts';

/** What a caller says about a file, none of which is taken as it is. */
export interface SaidOfFile {
  readonly name: string;
  readonly type: string | undefined;
  readonly size: number;
}

/** An attachment with an id and a key of its own, made now. */
export function newAttachment(workspaceId: string, said: SaidOfFile): Attachment {
  const now = Date.now();
  const id = attachmentId(now, randomBytes(12).toString('hex'));
  const createdAt = new Date(now).toISOString();
  const name = fileNameOf(said.name);
  const s3Key = attachmentKey({ workspaceId, id, name, createdAt });
  return { id, name, s3Key, type: mediaTypeOf(said.type, extensionOf(name)), size: said.size, createdAt };
}
