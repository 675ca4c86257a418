import { assetBaseUrl } from '#lib/attachments/settings.ts';
import type { Form } from '#lib/domain/forms/form.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { type DueWork, dueWorker } from '#lib/due/due-worker.ts';
import { filesOfAnswers } from '#lib/forms/answered-files.ts';
import { logWork } from '#lib/http/work-log.ts';
import { Mailer, mailFrom } from '#lib/mail/mailer.ts';
import { type MailMessage, MailUnavailable } from '#lib/mail/message.ts';
import { responseMail } from '#lib/mail/response-mail.ts';
import { webhookMail } from '#lib/mail/webhook-mail.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { keys } from '#lib/table/keys.ts';
import { type MailJob, mailJobId } from '#lib/table/mail-jobs.ts';
import { keptRecordOf } from '#lib/table/retention.ts';
import { findRecord, type Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';

const mailer = new Mailer(mailFrom());

const minute = 60_000;
/** With the pauses below, retries last about a day, so that an outage over night loses no mail. */
const attemptsMax = 28;

/** Mails of form responses and of disabled webhooks. A message that cannot be made, or is refused, is parked immediately: it concerns no other. */
export const mailWork: DueWork<MailJob> = {
  type: 'mail',
  name: 'A mail',
  lanes: 8,
  neededMilliseconds: 20_000,

  /** A minute, doubling up to an hour. */
  pauseAfter(attempts, error) {
    const isPassing = !error || error instanceof MailUnavailable || error instanceof Unavailable;
    return isPassing && attempts < attemptsMax ? Math.min(60 * minute, minute * 2 ** (attempts - 1)) : undefined;
  },

  async handle(job, { table, signal }) {
    const message = await composeMail(table, job);
    // The response was deleted, so nobody needs its mail.
    if (!message) return 'done';
    await mailer.send({ to: job.recipient, ...message }, signal);
    const { workspaceId, attempts } = job;
    const subject = job.kind === 'form_response' ? { formId: job.formId } : { webhookId: job.webhookId };
    const about = { mailJobId: mailJobId(job), workspaceId, ...subject, attempts };
    const measured = { route: 'form-response-deliver', metrics: { Mails: 1 } };
    logWork(
      'info',
      job.kind === 'form_response' ? 'A form response was mailed.' : 'A disabled webhook was mailed.',
      about,
      measured,
    );
    return 'done';
  },
};

/** @returns nothing if the subject of the mail is gone */
async function composeMail(table: Table, job: MailJob): Promise<Omit<MailMessage, 'to'> | undefined> {
  if (job.kind === 'form_response') return composeResponse(table, job);
  return webhookMail(job, (await findWorkspace(table, job.workspaceId))?.name ?? job.workspaceId);
}

async function composeResponse(table: Table, job: Extract<MailJob, { readonly kind: 'form_response' }>) {
  // Each may have been removed since. The reads share a round trip.
  const [workspace, form, item] = await Promise.all([
    findWorkspace(table, job.workspaceId),
    findRecord<Form>(table, job, 'form', job.formId),
    table.get(keys.record(job.workspaceId, 'formResponse', job.responseId)),
  ]);
  const response = keptRecordOf<FormResponse>('formResponse', item);
  if (!response) return undefined;
  const { defaultLanguage, languages = [] } = workspace ?? {};
  const inOrder = new Set(defaultLanguage === undefined ? languages : [defaultLanguage, ...languages]);
  const [{ files } = { files: {} }] = await filesOfAnswers(table, job, [response], assetBaseUrl());
  return responseMail({ response, form, languages: [...inOrder], files });
}

/** Runs on new mails, and on a schedule for all that are due. */
export const handler = dueWorker(mailWork);
