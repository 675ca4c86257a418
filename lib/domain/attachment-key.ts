import { asciiNameOf } from './file-name.ts';

const folder = /^workspaces\/[^/]+\/drive\/messaging\/\d{4}-\d{2}\/([^/]+)\/[^/]+$/;

interface KeyParts {
  readonly workspaceId: string;
  readonly id: string;
  /** As people see it; the key has what of it is ASCII. */
  readonly name: string;
  readonly createdAt: string;
}

/** Where the bytes of an attachment are in the bucket (lib/spec/decisions.md section 6). */
export const attachmentKey = ({ workspaceId, id, name, createdAt }: KeyParts): string =>
  `workspaces/${workspaceId}/drive/messaging/${createdAt.slice(0, 7)}/${id}/${asciiNameOf(name)}`;

/** The id in a key of this form; an imported attachment may have another key. */
export const idInKey = (s3Key: string): string | undefined => folder.exec(s3Key)?.[1];

/**
 * The address that an attachment is downloaded from (lib/spec/interface.md section 2.5).
 * @param baseUrl without a slash at its end
 */
export const assetUrl = (baseUrl: string, s3Key: string): string =>
  `${baseUrl}/api/v1/connect/assets/${s3Key.split('/').map(encodeURIComponent).join('/')}`;
