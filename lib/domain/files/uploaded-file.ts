import * as z from 'zod/mini';

/** The direct upload of an announced file to the bucket (lib/spec/decisions.md section 6). */
export const DirectUpload = z.object({
  method: z.literal('PUT'),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  expiresAt: z.string(),
});

/**
 * An attachment in the answer to an upload (lib/spec/interface.md section 2.5). `upload` is present until the bytes
 * have arrived.
 */
export const UploadedFile = z.object({
  id: z.string(),
  name: z.string(),
  s3Key: z.string(),
  type: z.string(),
  url: z.string(),
  upload: z.optional(DirectUpload),
});
export type UploadedFile = z.infer<typeof UploadedFile>;
