import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import { logWork } from '#lib/http/log.ts';
import { MailQueue, mailShards } from '#lib/table/forms/mail-queue.ts';
import type { Key } from '#lib/table/schema.ts';
import { concurrentMailsMax, type MailSender } from './mail-sender.ts';

/**
 * Delivers the jobs of a stream batch concurrently, so that a failure blocks no other job. The stream only wakes the
 * function up; the table holds the state of each job.
 * @param isTimeLeft whether another attempt may begin
 * @returns the records to deliver again: their outcome could not be recorded
 */
export async function deliverNewJobs(
  sender: MailSender,
  records: readonly DynamoDBRecord[],
  isTimeLeft: () => boolean,
): Promise<DynamoDBBatchResponse> {
  const failed: string[] = [];
  const left = [...records];
  const lane = async () => {
    for (let record = left.shift(); record; record = left.shift()) {
      const isDone = isTimeLeft() && (await deliverRecord(sender, record));
      if (!isDone) failed.push(record.dynamodb?.SequenceNumber ?? '');
    }
  };
  await Promise.all(Array.from({ length: concurrentMailsMax }, lane));
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

async function deliverRecord(sender: MailSender, { eventID, dynamodb }: DynamoDBRecord): Promise<boolean> {
  const key = keyOf(dynamodb?.Keys);
  if (key) return sender.deliver(key);
  // A retry would not add the key and would block the records behind it.
  logWork('error', 'A change of the table without a key was passed over.', { eventID });
  return true;
}

function keyOf(attributes: NonNullable<DynamoDBRecord['dynamodb']>['Keys']): Key | undefined {
  const { pk, sk } = attributes ?? {};
  return pk?.S !== undefined && sk?.S !== undefined ? { pk: pk.S, sk: sk.S } : undefined;
}

export const searchMillisecondsMax = 30_000;

/**
 * Delivers due jobs: postponed ones, and those whose process died. It reads each shard of the queue once, all shards
 * concurrently, so that a long one delays no other.
 * @param isTimeLeft whether another attempt may begin
 * @throws Unavailable when the table does not answer
 */
export async function sweep(sender: MailSender, isTimeLeft: () => boolean): Promise<void> {
  const queue = new MailQueue(sender.table(AbortSignal.timeout(searchMillisecondsMax)));
  const searches = await Promise.allSettled(
    mailShards.map(async (shard) => {
      for await (const key of queue.due(shard, Date.now())) {
        if (!isTimeLeft()) return;
        await sender.deliver(key);
      }
    }),
  );
  const failed = searches.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
