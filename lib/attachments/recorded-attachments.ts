import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { requireSameRequest } from '#lib/http/idempotency.ts';
import type { RecordedOutcome } from '#lib/table/access/idempotency-records.ts';

/** The attachments recorded under an Idempotency-Key. @throws 422 when the key was used for another upload */
export function attachmentsIn(outcome: RecordedOutcome, requestHash: string): Attachment[] {
  requireSameRequest(outcome, requestHash);
  return JSON.parse(outcome.answer ?? '[]') as Attachment[];
}
