import * as z from 'zod/mini';
import { RecordId } from '../text/identifier.ts';
import { charsetPattern } from '../text/media-type-parts.ts';
import { TimeStamp } from '../text/time-stamp.ts';

/** The size of the largest file: 25 MB (lib/spec/interface.md section 8). */
export const fileSizeBytesMax = 26_214_400;

const keyLengthMax = 1_000;
const keyPattern = /^workspaces\/[A-Za-z0-9_-]{1,64}\/drive\/messaging(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)+$/;

/** An uploaded file (lib/spec/interface.md section 2.5). Its URL is made from the key when it is shown. */
export const Attachment = z.strictObject({
  id: RecordId,
  name: z.string().check(z.minLength(1, 'Must be the name of the file.')),
  s3Key: z
    .string()
    .check(
      z.maxLength(keyLengthMax, 'Must be at most 1,000 characters.'),
      z.regex(keyPattern, 'Must be a key such as workspaces/ws_1/drive/messaging/2026-01/att_1/menu.pdf.'),
    ),
  type: z.string().check(z.minLength(1, 'Must be a media type such as image/png.')),
  charset: z.optional(z.string().check(z.regex(charsetPattern, 'Must be a charset such as utf-8.'))),
  size: z
    .int()
    .check(
      z.minimum(0, 'Must be a number of bytes.'),
      z.maximum(fileSizeBytesMax, `Must be at most ${fileSizeBytesMax} bytes (25 MB).`),
    ),
  createdAt: TimeStamp,
});
export type Attachment = z.infer<typeof Attachment>;

/** True if a string has the form of an attachment key. Every stored object has such a key. */
export const isAttachmentKey = (text: string): boolean => text.length <= keyLengthMax && keyPattern.test(text);

/** Whether a key has the workspace's own prefix (lib/spec/decisions.md section 6). */
export const isKeyOfWorkspace = (s3Key: string, workspaceId: string): boolean =>
  s3Key.startsWith(`workspaces/${workspaceId}/`);
