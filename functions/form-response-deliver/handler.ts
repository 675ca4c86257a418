import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent, ScheduledEvent } from 'aws-lambda';
import { attemptMillisecondsMax } from '#lib/delivery/deliver-job.ts';
import { deliverNewJobs, sweep } from '#lib/delivery/deliver-new-jobs.ts';
import { MailSender } from '#lib/delivery/mail-sender.ts';

const mailSender = new MailSender();

/** Runs on new mail jobs, and on a schedule for jobs that are overdue. */
export async function handler(
  event: DynamoDBStreamEvent | ScheduledEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<DynamoDBBatchResponse | undefined> {
  const isTimeLeft = () => context.getRemainingTimeInMillis() > attemptMillisecondsMax + 1_000;
  if ('Records' in event) return deliverNewJobs(mailSender, event.Records, isTimeLeft);
  await sweep(mailSender, isTimeLeft);
  return undefined;
}
