import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { s3Client, testBucket } from './files-client.ts';
import { documentOf } from './menu.ts';
import { openWorkspace, type Workspace } from './workspace.ts';
import { load } from './world.ts';

/** A stored file and its record. */
export interface DriveFile {
  readonly name: string;
  readonly type: string;
  readonly charset?: string;
  readonly bytes: Uint8Array;
}

/** A kitchen with messaging keys and a drive for files. */
export interface Drive extends Workspace {
  /** Secrets of keys that belong to members, by their permissions; the key's permission comes first. */
  readonly messaging: Readonly<Record<MessagingKey, string>>;
}

const read = 'messaging:conversation:read';
const engage = 'messaging:conversation:engage';
const rights = {
  readByRead: [[read], [read]],
  engageByEngage: [[engage], [engage]],
  bothByBoth: [
    [read, engage],
    [read, engage],
  ],
  bothByRead: [[read, engage], [read]],
  readByEngage: [[read], [engage]],
  readByNothing: [[read], []],
  nothingByBoth: [[], [read, engage]],
} as const;
type MessagingKey = keyof typeof rights | 'noMember';

export async function openDrive(): Promise<Drive> {
  const names = Object.keys(rights) as (keyof typeof rights)[];
  const kitchen = await openWorkspace('kitchen', (document) => {
    const { id } = document.workspace;
    for (const name of names) {
      const [ofKey, ofMember] = rights[name];
      document.members.push({ id: `mem_${name}`, name, permissions: ofMember });
      document.apiKeys.push({ ...keyOf(id, name), permissions: ofKey, memberId: `mem_${name}` });
    }
    document.apiKeys.push({ ...keyOf(id, 'noMember'), permissions: [read, engage] });
  });
  const secrets = [...names, 'noMember'].map((name) => [name, keyOf(kitchen.workspaceId, name).secret]);
  return { ...kitchen, messaging: Object.fromEntries(secrets) };
}

const keyOf = (workspaceId: string, name: string) => ({ id: `key_${name}`, name, secret: `${name}-of-${workspaceId}` });

const client = s3Client();

/** Puts a file into the bucket and its record into the workspace. @returns its key */
export async function store(drive: Workspace, { bytes, ...file }: DriveFile): Promise<string> {
  const s3Key = newAssetKey(drive);
  await client.send(new PutObjectCommand({ Bucket: testBucket(), Key: s3Key, Body: bytes }));
  await record(drive, { s3Key, ...file, size: bytes.length });
  return s3Key;
}

/** Puts only the record of a file. */
export async function record(drive: Workspace, attachment: { readonly s3Key: string } & Record<string, unknown>) {
  const id = attachment.s3Key.split('/').at(-2);
  await load(documentOf(drive, { attachments: [{ id, createdAt: '2026-01-01T00:00:00.000Z', ...attachment }] }));
}

export const newAssetKey = ({ workspaceId }: Workspace, name = 'file.bin'): string =>
  `workspaces/${workspaceId}/drive/messaging/2026-01/att_${randomUUID()}/${name}`;
