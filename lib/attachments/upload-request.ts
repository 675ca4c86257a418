import type { Principal } from '#lib/domain/access/principal.ts';
import type { UploadedFile } from '#lib/domain/files/uploaded-file.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { assetUrl } from '#lib/domain/messaging/attachment-key.ts';
import type { RequestIssue } from '#lib/http/errors.ts';
import type { IncomingBody } from '#lib/http/receiving-api.ts';
import type { IdempotentCall, KeyScope } from '#lib/idempotency/run-idempotent.ts';
import type { Table } from '#lib/table/table.ts';
import { assetBaseUrl } from './settings.ts';
import type { FileOwner } from './stored-files.ts';

/** A request that sends files or announces them. */
export interface UploadRequest {
  readonly principal: Principal;
  readonly headers: { readonly 'Idempotency-Key'?: string | undefined } | undefined;
  /** The errors outside the body. */
  readonly requestIssues: readonly RequestIssue[];
  readonly incoming: IncomingBody;
  readonly tableFor: (milliseconds: number) => Table;
}

/** The time for the table calls of a step. */
export const tableMilliseconds = 2_500;

/** The part of a request that its Idempotency-Key needs. Its body can take longer to arrive than a table call may. */
export const idempotentCall = ({
  principal,
  headers,
  requestIssues,
  tableFor,
}: Omit<UploadRequest, 'incoming'>): IdempotentCall => ({
  principal,
  headers: requestIssues.length === 0 ? headers : undefined,
  table: tableFor(tableMilliseconds),
  laterTable: () => tableFor(tableMilliseconds),
});

/** An upload and an announcement with the same key are different requests of one scope. */
export const attachmentsScope: KeyScope = { sharedBy: 'caller', operation: 'attachments' };
export const mediaScope: KeyScope = { sharedBy: 'caller', operation: 'media' };

/** A file that a visitor uploads belongs to the conversation of the token. */
export const ownerOf = ({ workspaceId, visitor }: Principal): FileOwner => ({
  workspaceId,
  visitorOf: visitor?.conversationId,
});

export const fileView = ({ id, name, s3Key, type }: Attachment): UploadedFile => ({
  id,
  name,
  s3Key,
  type,
  url: assetUrl(assetBaseUrl(), s3Key),
});
