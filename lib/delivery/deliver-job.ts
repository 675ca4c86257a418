import { randomUUID } from 'node:crypto';
import type { Form } from '#lib/domain/forms/form.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { filesOfAnswers } from '#lib/forms/answered-files.ts';
import { logWork } from '#lib/http/log.ts';
import type { Mailer } from '#lib/mail/mailer.ts';
import { MailUnavailable } from '#lib/mail/message.ts';
import { responseMail } from '#lib/mail/response-mail.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { mailJobId } from '#lib/table/forms/mail-jobs.ts';
import { MailQueue, type StoredMailJob } from '#lib/table/forms/mail-queue.ts';
import { findRecord } from '#lib/table/record-of.ts';
import type { Key } from '#lib/table/schema.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';

/** An attempt ends before its lease, so that two attempts never overlap. */
export const attemptMillisecondsMax = 20_000;
const leaseMilliseconds = 30_000;

interface Attempt {
  /** The signal ends its calls. */
  readonly table: Table;
  readonly mailer: Mailer;
  /** Base address of file links, without a slash at the end. */
  readonly assetBaseUrl: string;
  readonly signal: AbortSignal;
}

/** `passed over`: the job is done, not due yet, or leased by another process. */
type Outcome = 'passed over' | 'sent' | 'put off' | 'parked';

/**
 * Sends the mail of a job, unless it is done, not due yet, or leased by another process. A failed job is postponed, or
 * parked when retries cannot help. After a crash the job is retried when its lease ends.
 * @throws Unavailable when the table cannot be read, or the outcome cannot be recorded
 */
export async function deliverJob({ table, mailer, signal, assetBaseUrl }: Attempt, key: Key): Promise<Outcome> {
  const queue = new MailQueue(table);
  const job = await queue.claim(key, randomUUID(), Date.now(), leaseMilliseconds);
  if (!job) return 'passed over';
  if (hasTooManyAttempts(job.attempts)) return park(queue, job, new AttemptsLost());
  try {
    await mailer.send({ to: job.recipient, ...(await composeMail(table, job, assetBaseUrl)) }, signal);
  } catch (error) {
    return setAside(queue, job, error as Error);
  }
  await queue.finish(job);
  logWork('info', 'A form response was mailed.', subject(job), {
    route: 'form-response-deliver',
    metrics: { Mails: 1 },
  });
  return 'sent';
}

async function composeMail(table: Table, job: StoredMailJob, assetBaseUrl: string) {
  // Each may have been removed since. The reads share a round trip.
  const [workspace, form, response] = await Promise.all([
    findWorkspace(table, job.workspaceId),
    findRecord<Form>(table, job, 'form', job.formId),
    findRecord<FormResponse>(table, job, 'formResponse', job.responseId),
  ]);
  if (!response) throw new ResponseGone();
  const { defaultLanguage, languages = [] } = workspace ?? {};
  const inOrder = new Set(defaultLanguage === undefined ? languages : [defaultLanguage, ...languages]);
  const [{ files } = { files: {} }] = await filesOfAnswers(table, job, [response], assetBaseUrl);
  return responseMail({ response, form, languages: [...inOrder], files });
}

/** A permanent error concerns this job alone. The job is parked, so that it blocks no other. */
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

/** The error's name for the log. Its message may contain addresses and stays in the table. */
const kindOf = ({ name, cause }: Error): string => (cause instanceof Error ? cause.name : name);

/** The job for the log, without the recipient's address. */
const subject = (job: StoredMailJob) => ({
  mailJobId: mailJobId(job),
  workspaceId: job.workspaceId,
  formId: job.formId,
  attempts: job.attempts,
});

const minute = 60_000;
const pauseMillisecondsMax = 60 * minute;

/** With the pauses below, retries last about a day, so that an outage over night loses no mail. */
const attemptsMax = 28;

/** True if the job was started more often than that, because its attempts crashed. */
const hasTooManyAttempts = (attempts: number): boolean => attempts > attemptsMax;

/**
 * The wait before the next attempt: a minute, doubling up to an hour.
 * @returns milliseconds, or undefined after the last attempt
 */
const pauseAfter = (attempts: number): number | undefined =>
  attempts >= attemptsMax ? undefined : Math.min(pauseMillisecondsMax, minute * 2 ** (attempts - 1));
