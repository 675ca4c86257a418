import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent, ScheduledEvent } from 'aws-lambda';
import { attemptMillisecondsMax } from '#lib/delivery/deliver-job.ts';
import { deliverNewJobs } from '#lib/delivery/deliver-new-jobs.ts';
import { PostOffice } from '#lib/delivery/post-office.ts';
import { sweep } from '#lib/delivery/sweep.ts';

const postOffice = new PostOffice();

/** Started by new mail jobs, and by a schedule for jobs that were left behind. */
export async function handler(
  event: DynamoDBStreamEvent | ScheduledEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<DynamoDBBatchResponse | undefined> {
  const isTimeLeft = () => context.getRemainingTimeInMillis() > attemptMillisecondsMax + 1_000;
  if ('Records' in event) return deliverNewJobs(postOffice, event.Records, isTimeLeft);
  await sweep(postOffice, isTimeLeft);
  return undefined;
}
