import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { keys } from '#lib/table/keys.ts';
import { pendingShards } from '#lib/table/messaging/pending-attachment.ts';
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
  const shards = pendingShards.map((shard) =>
    Array.fromAsync(testTable().query({ pk: keys.pendingAttachments(shard) })),
  );
  return (await Promise.all(shards)).flat().filter((item) => item['workspaceId'] === workspaceId);
}

/** The bytes of an object. */
export async function objectBytes(s3Key: string): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: testBucket(), Key: s3Key }));
  return buffer(Body as AsyncIterable<Uint8Array>);
}
