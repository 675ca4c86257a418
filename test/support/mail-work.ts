import { randomUUID } from 'node:crypto';
import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { type MailJob, newMailJob } from '#lib/table/mail-jobs.ts';
import type { Key } from '#lib/table/schema.ts';
import { advanceUntilDue as advance, dueItems, parkedItems } from './due-items.ts';
import { testTable } from './world.ts';

type ResponseJob = Extract<MailJob, { readonly kind: 'form_response' }> & Key;

/** Stores a response of a workspace and a job for each recipient, as a submit does. @returns the jobs' keys */
export async function storeResponse(
  workspaceId: string,
  answers: object,
  { formId = 'form_contact', recipients = ['owner@example.com'], id = `res_${randomUUID()}` } = {},
): Promise<ResponseJob[]> {
  const createdAt = new Date().toISOString();
  const response = { id, formId, answers, meta: { _page: '/contact' }, createdAt };
  const jobs = recipients.map((recipient) =>
    newMailJob({ kind: 'form_response', workspaceId, formId, responseId: id, recipient, createdAt }),
  );
  const record = { ...keys.record(workspaceId, 'formResponse', id), record: JSON.stringify(response) };
  await putAll(testTable(), [record, ...jobs.map((job) => ({ ...job }))]);
  return jobs;
}

/** Stores a response that is mailed to this number of recipients. @returns the jobs' keys */
export const storeForRecipients = (workspaceId: string, count = 1): Promise<ResponseJob[]> =>
  storeResponse(workspaceId, { message: 'Hello' }, { recipients: recipientsOf(count) });

export const recipientsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => `owner-${number}@example.com`);

/** A change of the table as a stream record. */
export const streamRecord = ({ pk, sk }: Key, number: number): DynamoDBRecord => ({
  eventID: randomUUID(),
  eventName: 'INSERT',
  eventSource: 'aws:dynamodb',
  dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(number) },
});

const context = { getRemainingTimeInMillis: () => 60_000 };

async function invoke(event: object, remaining = context): Promise<unknown> {
  const { handler } = await import('../../functions/form-response-deliver/handler.ts');
  return handler(event as never, remaining);
}

/** Runs the function on a batch of changes. @returns the numbers of the records that it returns for a retry */
export async function deliver(records: readonly DynamoDBRecord[], remaining = context): Promise<string[]> {
  const { batchItemFailures } = (await invoke({ Records: records }, remaining)) as DynamoDBBatchResponse;
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

export const deliverJobs = (jobs: readonly Key[]): Promise<string[]> => deliver(jobs.map(streamRecord));

/** Runs the scheduled work. */
export async function sweep(): Promise<void> {
  await invoke({ source: 'aws.events', 'detail-type': 'Scheduled Event', time: new Date().toISOString() });
}

/** The parked jobs of the whole table. */
export const parkedJobs = () => parkedItems('mail');

/** The pending jobs of the whole table. */
export const pendingJobs = () => dueItems('mail');

/** Moves the clock until every job is due and no lease is valid. */
export const advanceUntilDue = (): Promise<void> => advance('mail');
