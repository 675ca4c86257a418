import { randomUUID } from 'node:crypto';
import { logWork } from '#lib/http/log.ts';
import { MailUnavailable } from '#lib/mail/errors.ts';
import type { Mailer } from '#lib/mail/mailer.ts';
import { responseMail } from '#lib/mail/response-mail.ts';
import { readAnsweredForm } from '#lib/table/answered-form.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { mailJobId } from '#lib/table/mail-jobs.ts';
import { MailQueue, type StoredMailJob } from '#lib/table/mail-queue.ts';
import type { Key } from '#lib/table/schema.ts';
import type { Table } from '#lib/table/table.ts';
import { isTriedTooOften, pauseAfter } from './retries.ts';

/** An attempt ends before its lease does, so that two of them never run at the same time. */
export const attemptMillisecondsMax = 20_000;
const leaseMilliseconds = 30_000;

export interface Attempt {
  /** Ends its calls with the signal. */
  readonly table: Table;
  readonly mailer: Mailer;
  readonly signal: AbortSignal;
}

/** `passed over`: it is done, not due yet, or in somebody else's hands. */
export type Outcome = 'passed over' | 'sent' | 'put off' | 'parked';

/**
 * Sends the mail of a job, unless it is done, not due yet, or in somebody else's hands. One that cannot be sent is put
 * off, or parked when that cannot help. A process that dies on the way leaves a job that is tried again when its lease
 * has ended.
 * @throws Unavailable when the table does not say what is to be done, or does not note what was done
 */
export async function deliverJob({ table, mailer, signal }: Attempt, key: Key): Promise<Outcome> {
  const queue = new MailQueue(table);
  const job = await queue.claim(key, randomUUID(), Date.now(), leaseMilliseconds);
  if (!job) return 'passed over';
  if (isTriedTooOften(job.attempts)) return park(queue, job, new AttemptsLost());
  try {
    await mailer.send({ to: job.recipient, ...(await composeMail(table, job)) }, signal);
  } catch (error) {
    return setAside(queue, job, error as Error);
  }
  await queue.finish(job);
  logWork('info', 'A form response was mailed.', subject(job));
  return 'sent';
}

async function composeMail(table: Table, job: StoredMailJob) {
  const { workspace, form, response } = await readAnsweredForm(table, job);
  if (!response) throw new ResponseGone();
  const { defaultLanguage, languages = [] } = workspace ?? {};
  const inOrder = new Set(defaultLanguage === undefined ? languages : [defaultLanguage, ...languages]);
  return responseMail({ response, form, languages: [...inOrder] });
}

/** Whatever is not known to pass is about this job alone: it is parked, where it holds up nothing. */
async function setAside(queue: MailQueue, job: StoredMailJob, error: Error): Promise<Outcome> {
  const isPassing = error instanceof MailUnavailable || error instanceof Unavailable;
  const pause = isPassing ? pauseAfter(job.attempts) : undefined;
  if (pause === undefined) return park(queue, job, error);
  await queue.postpone(job, Date.now() + pause, error.message);
  const next = { reason: kindOf(error), nextAttemptSeconds: pause / 1_000 };
  logWork('warn', 'A form response could not be mailed yet.', { ...subject(job), ...next });
  return 'put off';
}

async function park(queue: MailQueue, job: StoredMailJob, error: Error): Promise<Outcome> {
  await queue.park(job, error.message);
  const about = { ...subject(job), reason: kindOf(error) };
  logWork('error', 'A form response could not be mailed and is parked.', about);
  return 'parked';
}

class ResponseGone extends Error {
  override readonly name = 'ResponseGone';
  override readonly message = 'The response is no longer stored.';
}

class AttemptsLost extends Error {
  override readonly name = 'AttemptsLost';
  override readonly message = 'No attempt to send it came to an end.';
}

/** For the log; the message, which may name addresses, stays in the table. */
const kindOf = ({ name, cause }: Error): string => (cause instanceof Error ? cause.name : name);

/** Without the recipient: addresses do not belong into a log. */
const subject = (job: StoredMailJob) => ({
  mailJobId: mailJobId(job),
  workspaceId: job.workspaceId,
  formId: job.formId,
  attempts: job.attempts,
});
