import type { Attachment } from '#lib/domain/attachment.ts';
import { requireSame } from '#lib/http/idempotency.ts';
import type { RecordedOutcome } from '#lib/table/idempotency-records.ts';

/** The attachments that were answered under an Idempotency-Key. @throws 422 when they are of another upload */
export function attachmentsIn(outcome: RecordedOutcome, requestHash: string): Attachment[] {
  requireSame(outcome, requestHash);
  return JSON.parse(outcome.answer ?? '[]') as Attachment[];
}
