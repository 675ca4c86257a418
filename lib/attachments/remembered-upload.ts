import type { Attachment } from '#lib/domain/attachment.ts';
import { requireSame } from '#lib/http/idempotency.ts';
import type { Remembered } from '#lib/table/repeats.ts';

/** The attachments that an Idempotency-Key stands for. @throws 422 when they are of another upload */
export function attachmentsIn(used: Remembered, requestHash: string): Attachment[] {
  requireSame(used, requestHash);
  return JSON.parse(used.answer ?? '[]') as Attachment[];
}
