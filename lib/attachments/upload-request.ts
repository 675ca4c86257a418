import type { Principal } from '#lib/domain/access/principal.ts';
import { essenceOf } from '#lib/domain/files/media-type.ts';
import type { UploadedFile } from '#lib/domain/files/uploaded-file.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { assetUrl } from '#lib/domain/messaging/attachment-key.ts';
import type { IncomingBody } from '#lib/http/body.ts';
import { type RequestIssue, unsupportedMediaType } from '#lib/http/errors.ts';
import { IdempotencyRecord } from '#lib/table/access/idempotency-records.ts';
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

/**
 * @param address where files are announced
 * @throws 415
 */
export function requireMultipart({ contentType, contentEncoding }: IncomingBody, address: string): void {
  if (contentEncoding) throw unsupportedMediaType('Send the body without Content-Encoding.');
  if (essenceOf(contentType) === 'multipart/form-data') return;
  throw unsupportedMediaType(`Send the body as multipart/form-data, or announce direct uploads at ${address}.`);
}

/**
 * The record of the Idempotency-Key, if a valid one was sent. Open it when it is needed: a body can take longer to
 * arrive than a table call may take.
 */
export function recordOf(
  { principal, headers, requestIssues, tableFor }: UploadRequest,
  operation: 'attachments' | 'media',
): IdempotencyRecord | undefined {
  const key = requestIssues.length === 0 ? headers?.['Idempotency-Key'] : undefined;
  return key === undefined ? undefined : new IdempotencyRecord(tableFor(tableMilliseconds), principal, operation, key);
}

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
