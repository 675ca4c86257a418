import { Unavailable } from '#lib/table/errors.ts';

/**
 * Like `objectSize`, for functions that rarely read the bucket: the S3 client is loaded on demand. The loaded file has
 * its own copies of error classes.
 * @throws Unavailable
 */
export async function objectSizeOnDemand(s3Key: string): Promise<number | undefined> {
  const files = await import('#lib/files/read-file.ts');
  return files.objectSize(s3Key).catch((cause) => {
    throw new Unavailable('The bucket did not answer.', { cause });
  });
}
