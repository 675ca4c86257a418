import { createHash } from 'node:crypto';
import { keys } from '../keys.ts';
import type { Key } from '../schema.ts';

/** A message to send: a response to one recipient. */
export interface MailJob {
  readonly workspaceId: string;
  readonly formId: string;
  readonly responseId: string;
  readonly recipient: string;
  /** The creation time of the response. */
  readonly createdAt: string;
  readonly state: 'pending';
  readonly attempts: number;
}

/** Jobs are spread over several partitions, so that a burst of submits stays below each one's limit. */
export const mailJobShards = 8;

/** The same for the same response and recipient, ignoring the address's case, so that every step can be repeated. */
export const mailJobId = ({ responseId, recipient }: Pick<MailJob, 'responseId' | 'recipient'>): string =>
  `${responseId}.${sha256(recipient.toLowerCase()).subarray(0, 8).toString('hex')}`;

export const mailJobShard = (id: string): number => (sha256(id)[0] ?? 0) % mailJobShards;

export const mailJobKey = (job: Pick<MailJob, 'responseId' | 'recipient' | 'createdAt'>): Key => {
  const id = mailJobId(job);
  return keys.mailJob(mailJobShard(id), job.createdAt, id);
};

/** The item of a job before its first try. */
export const newMailJob = (job: Omit<MailJob, 'state' | 'attempts'>): MailJob & Key => ({
  ...mailJobKey(job),
  ...job,
  state: 'pending',
  attempts: 0,
});

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
