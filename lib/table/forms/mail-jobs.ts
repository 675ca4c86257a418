import { createHash } from 'node:crypto';
import { dueKey } from '../due/due-key.ts';
import type { Key } from '../schema.ts';

/** A message to send: a response to one recipient. */
export interface MailJob {
  readonly workspaceId: string;
  readonly formId: string;
  readonly responseId: string;
  readonly recipient: string;
  /** The creation time of the response. */
  readonly createdAt: string;
}

/** The same for the same response and recipient, ignoring the address's case, so that every step can be repeated. */
export const mailJobId = ({ responseId, recipient }: Pick<MailJob, 'responseId' | 'recipient'>): string =>
  `${responseId}.${createHash('sha256').update(recipient.toLowerCase()).digest('hex').slice(0, 16)}`;

/** The due work of a message. */
export const newMailJob = (job: MailJob): MailJob & Key => ({
  ...dueKey({ type: 'mail', group: job.workspaceId, id: mailJobId(job), dueAt: Date.parse(job.createdAt) }),
  ...job,
});
