import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { filesBucket, sendToBucket, unlessMissing } from './client.ts';

const milliseconds = 1_500;

/** The size of an object in bytes, or undefined when it is missing. @throws Unavailable */
export async function objectSize(s3Key: string): Promise<number | undefined> {
  const command = new HeadObjectCommand({ Bucket: filesBucket(), Key: s3Key });
  const call = sendToBucket(milliseconds, (client, options) => client.send(command, options));
  return (await call.catch(unlessMissing))?.ContentLength;
}
