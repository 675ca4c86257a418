import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { s3Client, testBucket } from './files-client.ts';
import { documentOf } from './menu.ts';
import type { Opened } from './presets/preset.ts';
import { load } from './world.ts';

/** A stored file and its record. */
export interface DriveFile {
  readonly name: string;
  readonly type: string;
  readonly charset?: string;
  readonly bytes: Uint8Array;
}

const client = s3Client();

/** Puts a file into the bucket and its record into the workspace. @returns its key */
export async function store(drive: Opened, { bytes, ...file }: DriveFile): Promise<string> {
  const s3Key = newAssetKey(drive);
  await client.send(new PutObjectCommand({ Bucket: testBucket(), Key: s3Key, Body: bytes }));
  await record(drive, { s3Key, ...file, size: bytes.length });
  return s3Key;
}

/** Puts only the record of a file. */
export async function record(drive: Opened, attachment: { readonly s3Key: string } & Record<string, unknown>) {
  const id = attachment.s3Key.split('/').at(-2);
  await load(documentOf(drive, { attachments: [{ id, createdAt: '2026-01-01T00:00:00.000Z', ...attachment }] }));
}

export const newAssetKey = ({ workspaceId }: Opened, name = 'file.bin'): string =>
  `workspaces/${workspaceId}/drive/messaging/2026-01/att_${randomUUID()}/${name}`;
