import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import { logWork } from '#lib/http/log.ts';
import type { Key } from '#lib/table/schema.ts';
import { lanesMax, type PostOffice } from './post-office.ts';

/**
 * Delivers the jobs of a batch of the table's stream, several at a time and each by itself, so that one that fails
 * holds up no other. The stream is only the wake-up: what became of a job stands in the table.
 * @param isTimeLeft whether another attempt may begin
 * @returns the records to be handed over again: those whose job was neither done nor noted
 */
export async function deliverNewJobs(
  postOffice: PostOffice,
  records: readonly DynamoDBRecord[],
  isTimeLeft: () => boolean,
): Promise<DynamoDBBatchResponse> {
  const failed: string[] = [];
  const left = [...records];
  const lane = async () => {
    for (let record = left.shift(); record; record = left.shift()) {
      const isDone = isTimeLeft() && (await deliverRecord(postOffice, record));
      if (!isDone) failed.push(record.dynamodb?.SequenceNumber ?? '');
    }
  };
  await Promise.all(Array.from({ length: lanesMax }, lane));
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

async function deliverRecord(postOffice: PostOffice, { eventID, dynamodb }: DynamoDBRecord): Promise<boolean> {
  const key = keyOf(dynamodb?.Keys);
  if (key) return postOffice.deliver(key);
  // Handing it over again would not give it a key, and would hold up the records behind it.
  logWork('error', 'A change of the table without a key was passed over.', { eventID });
  return true;
}

function keyOf(attributes: NonNullable<DynamoDBRecord['dynamodb']>['Keys']): Key | undefined {
  const { pk, sk } = attributes ?? {};
  return pk?.S !== undefined && sk?.S !== undefined ? { pk: pk.S, sk: sk.S } : undefined;
}
