import * as z from 'zod/mini';

/** The direct upload of an announced file to the bucket (lib/spec/decisions.md section 6). */
export const DirectUpload = z.object({
  method: z.literal('PUT'),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  expiresAt: z.string(),
});

/** An attachment in the answer to an upload (lib/spec/interface.md section 2.5). */
export const UploadedFile = z.object({
  id: z.string(),
  name: z.string(),
  s3Key: z.string(),
  type: z.string(),
  url: z.string(),
});
export type UploadedFile = z.infer<typeof UploadedFile>;

/** An announced attachment and the address for its bytes. */
export const AnnouncedFile = z.extend(UploadedFile, { upload: DirectUpload });
export type AnnouncedFile = z.infer<typeof AnnouncedFile>;
