import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

/** The bucket of the test run. */
export const testBucket = (): string => process.env['FILES_BUCKET'] ?? '';

/** A client of the embedded S3, with the default settings of the SDK. */
export const s3Client = (settings: S3ClientConfig = {}): S3Client => new S3Client({ maxAttempts: 1, ...settings });
