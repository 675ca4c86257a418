import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { logError } from '#lib/http/work-log.ts';
import { milliseconds } from '#lib/table/dynamodb/clock.ts';
import { filesBucket, sendToBucket, unlessMissing } from './client.ts';

/** A write waits for the bucket at most so long. */
const keepMilliseconds = 1_000;
/** After a failure the writes of this container do not wait again for so long. Many at once wait one time together. */
const restMilliseconds = 5_000;
let restsUntil = 0;

/**
 * Keeps the states of a change in the bucket.
 * @param limit milliseconds for all tries; at most `keepMilliseconds`
 * @returns whether they are there; if not, they may still arrive
 */
export async function keepFile(s3Key: string, bytes: Uint8Array, limit: number): Promise<boolean> {
  if (milliseconds() < restsUntil) return false;
  const most = Math.min(limit, keepMilliseconds);
  const command = new PutObjectCommand({ Bucket: filesBucket(), Key: s3Key, Body: bytes });
  try {
    await sendToBucket(most, (client, options) => client.send(command, options));
    return true;
  } catch (error) {
    // A write that came late does not tell whether the bucket answers.
    if (most === keepMilliseconds) restsUntil = milliseconds() + restMilliseconds;
    logError('The bucket has not kept a version.', error);
    return false;
  }
}

/** @param limit milliseconds for all tries @returns undefined if the file does not exist @throws Unavailable */
export async function readKeptFile(s3Key: string, limit: number): Promise<Uint8Array | undefined> {
  const command = new GetObjectCommand({ Bucket: filesBucket(), Key: s3Key });
  return sendToBucket(limit, async (client, options) => {
    const { Body } = await client.send(command, options);
    return Body?.transformToByteArray();
  }).catch(unlessMissing);
}
