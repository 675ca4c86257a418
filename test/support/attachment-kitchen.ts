import { type Kitchen, openKitchen } from './kitchen.ts';

/** A kitchen with keys that may send and read files, and others that may not. */
export interface AttachmentKitchen extends Omit<Kitchen, 'keys'> {
  readonly keys: {
    readonly uploader: string;
    readonly reader: string;
    /** The key has the permission, but no member. */
    readonly memberless: string;
    /** The key has the permission, but its member does not. */
    readonly overruled: string;
  };
}

const engage = 'messaging:conversation:engage';
const read = 'messaging:conversation:read';

export async function attachmentKitchen(): Promise<AttachmentKitchen> {
  const kitchen = await openKitchen((document) => {
    const key = (name: string, permissions: readonly string[], memberId: string | null) =>
      document.apiKeys.push({ id: `key_${name}`, name, secret: secretOf(document, name), permissions, memberId });
    document.members.push(
      { id: 'mem_files', name: 'Sara', active: true, permissions: [engage, read] },
      { id: 'mem_none', name: 'Rami', active: true, permissions: [] },
    );
    key('uploader', [engage], 'mem_files');
    key('fileReader', [read], 'mem_files');
    key('memberless', [engage], null);
    key('overruled', [engage], 'mem_none');
  });
  const { document } = kitchen;
  return {
    ...kitchen,
    keys: {
      uploader: secretOf(document, 'uploader'),
      reader: secretOf(document, 'fileReader'),
      memberless: secretOf(document, 'memberless'),
      overruled: secretOf(document, 'overruled'),
    },
  };
}

const secretOf = (document: Kitchen['document'], name: string): string => `${name}-${document.workspace.id}`;
