import { AbortMultipartUploadCommand, DeleteObjectCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { filesBucket, sendToBucket, unlessMissing } from './client.ts';

export const milliseconds = 3_000;

/** Removes the object of a key and its incomplete multipart uploads. @throws Unavailable */
export async function removeFile(s3Key: string): Promise<void> {
  const Bucket = filesBucket();
  const list = new ListMultipartUploadsCommand({ Bucket, Prefix: s3Key });
  const { Uploads = [] } = await sendToBucket(milliseconds, (client, options) => client.send(list, options));
  for (const { Key, UploadId } of Uploads) {
    if (Key !== s3Key) continue;
    const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
    await sendToBucket(milliseconds, (client, options) => client.send(abort, options)).catch(unlessMissing);
  }
  const remove = new DeleteObjectCommand({ Bucket, Key: s3Key });
  await sendToBucket(milliseconds, (client, options) => client.send(remove, options)).catch(unlessMissing);
}
