import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { ScheduledEvent } from 'aws-lambda';
import { keys } from '#lib/table/keys.ts';
import { dueItems } from './due-items.ts';
import { s3Client, testBucket } from './files-client.ts';
import { testTable } from './world.ts';

const client = s3Client({ maxAttempts: 3 });

/** All data of a workspace's attachments, in bucket and table. */
export interface FilesOfWorkspace {
  readonly objects: readonly string[];
  /** Multipart uploads that are neither completed nor aborted. */
  readonly openUploads: readonly string[];
  /** The keys of the readable attachments. */
  readonly records: readonly string[];
  /** The keys of the announced attachments. */
  readonly announced: readonly string[];
}

export const noFiles: FilesOfWorkspace = { objects: [], openUploads: [], records: [], announced: [] };

export async function leftovers(workspaceId: string): Promise<FilesOfWorkspace> {
  const Bucket = testBucket();
  const Prefix = `workspaces/${workspaceId}/`;
  const [objects, uploads, records, announced] = await Promise.all([
    client.send(new ListObjectsV2Command({ Bucket, Prefix })),
    client.send(new ListMultipartUploadsCommand({ Bucket, Prefix })),
    Array.fromAsync(testTable().query({ pk: keys.records(workspaceId, 'attachment') })),
    announcedItems(workspaceId),
  ]);
  const s3KeyOf = (item: Record<string, unknown>): string => JSON.parse(String(item['record'])).s3Key;
  return {
    objects: (objects.Contents ?? []).map(({ Key = '' }) => Key).sort(),
    openUploads: (uploads.Uploads ?? []).map(({ Key = '' }) => Key).sort(),
    records: records.map(s3KeyOf).sort(),
    announced: announced.map(s3KeyOf).sort(),
  };
}

/** The items of the table. */
export async function announcedItems(workspaceId: string) {
  return (await dueItems('upload')).filter((item) => item['workspaceId'] === workspaceId);
}

/**
 * Runs the sweep of announced files and images of all workspaces.
 * @param time ISO 8601
 * @param milliseconds how long the function may run
 */
export async function sweepFiles(time: string, milliseconds = 55_000): Promise<void> {
  // Loaded on demand, so that tests can put proxies before table and bucket.
  const { handler } = await import('#functions/attachments-sweep/handler.ts');
  await handler({ time } as ScheduledEvent, { getRemainingTimeInMillis: () => milliseconds });
}

/** The bytes of an object. */
export async function objectBytes(s3Key: string): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: testBucket(), Key: s3Key }));
  return buffer(Body as AsyncIterable<Uint8Array>);
}
