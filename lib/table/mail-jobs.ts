import { createHash } from 'node:crypto';
import { dueKey } from './due/keys.ts';
import type { Key } from './table.ts';

interface OfResponse {
  readonly kind: 'form_response';
  readonly formId: string;
  readonly responseId: string;
}

/** A webhook that the service has disabled. */
interface OfWebhook {
  readonly kind: 'webhook_disabled';
  readonly webhookId: string;
  readonly url: string;
  readonly reason: 'gone' | 'failing';
  /** Of the recipient. */
  readonly language: string;
}

/** A message to send: what it is about, to one recipient. */
export type MailJob = (OfResponse | OfWebhook) & {
  readonly workspaceId: string;
  readonly recipient: string;
  /** When it happened. */
  readonly createdAt: string;
};

type Identified = Pick<MailJob, 'recipient'> &
  (Pick<OfResponse, 'responseId'> | (Pick<OfWebhook, 'webhookId'> & Pick<MailJob, 'createdAt'>));

/** The same for the same event and recipient, ignoring the address's case, so that every step can be repeated. */
export function mailJobId(job: Identified): string {
  const subject = 'responseId' in job ? job.responseId : `${job.webhookId}.${Date.parse(job.createdAt).toString(36)}`;
  return `${subject}.${createHash('sha256').update(job.recipient.toLowerCase()).digest('hex').slice(0, 16)}`;
}

export const newMailJob = <Job extends MailJob>(job: Job): Job & Key => ({
  ...dueKey({ type: 'mail', group: job.workspaceId, id: mailJobId(job), dueAt: Date.parse(job.createdAt) }),
  ...job,
});
