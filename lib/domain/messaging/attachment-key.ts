import { timeInId } from '../text/timed-id.ts';

/** The creation time in milliseconds since 1970, or undefined for an id that this service did not make. */
export const timeOfAttachment = (id: string): number | undefined => timeInId('att', id);

const folder = /^workspaces\/[^/]+\/drive\/messaging\/\d{4}-\d{2}\/([^/]+)\/[^/]+$/;

interface KeyParts {
  readonly workspaceId: string;
  readonly id: string;
  readonly asciiName: string;
  readonly createdAt: string;
}

/** The object key of an attachment's bytes (lib/spec/decisions.md section 6). */
export const attachmentKey = ({ workspaceId, id, asciiName, createdAt }: KeyParts): string =>
  `workspaces/${workspaceId}/drive/messaging/${createdAt.slice(0, 7)}/${id}/${asciiName}`;

/** The id in a key of this form. Keys of imported attachments may differ. */
export const idInKey = (s3Key: string): string | undefined => folder.exec(s3Key)?.[1];

/**
 * The download URL of an attachment (lib/spec/interface.md section 2.5).
 * @param baseUrl without a slash at its end
 */
export const assetUrl = (baseUrl: string, s3Key: string): string =>
  `${baseUrl}/api/v1/connect/assets/${s3Key.split('/').map(encodeURIComponent).join('/')}`;
