import { readAnnouncedFiles } from '#lib/attachments/announced-files.ts';
import { readJsonBytes } from '#lib/attachments/json-bytes.ts';
import { essenceOf } from '#lib/domain/files/media-type.ts';
import { imageBytesMax } from '#lib/domain/files/public-image.ts';
import type { IncomingBody } from '#lib/http/body.ts';
import { badRequest, type RequestIssue, unsupportedMediaType } from '#lib/http/errors.ts';
import { IdempotencyRecord } from '#lib/table/access/idempotency-records.ts';
import { announceImage } from './announce-image.ts';
import { imageView } from './image-view.ts';
import { receiveImage } from './receive-image.ts';
import { type ImageStore, storeImage } from './store-image.ts';

export interface ImageUpload extends Omit<ImageStore, 'record'> {
  readonly headers: { readonly 'Idempotency-Key'?: string | undefined } | undefined;
  readonly requestIssues: readonly RequestIssue[];
  readonly incoming: IncomingBody;
}

export const recordMilliseconds = 2_500;

/**
 * Stores the one image of a multipart body, or announces one (lib/spec/additions.md section 2).
 * @throws 415, 413, 400, 409, 422, 429, Unavailable; then nothing is stored
 */
export async function uploadImage({ headers, requestIssues, incoming, ...request }: ImageUpload) {
  const { contentType, contentEncoding } = incoming;
  if (contentEncoding) throw unsupportedMediaType('Send the body without Content-Encoding.');
  const key = requestIssues.length === 0 ? headers?.['Idempotency-Key'] : undefined;
  // Opened when the body has arrived, which can take longer than a table call may.
  const store = (): ImageStore => ({
    ...request,
    record:
      key === undefined
        ? undefined
        : new IdempotencyRecord(request.tableFor(recordMilliseconds), request.principal, 'media', key),
  });
  const essence = essenceOf(contentType);
  if (essence === 'multipart/form-data') {
    const bytes = await receiveImage(incoming, requestIssues.length > 0 ? badRequest(requestIssues) : undefined);
    return imageView(await storeImage(bytes, store()));
  }
  if (essence !== 'application/json' && !essence.endsWith('+json')) {
    throw unsupportedMediaType('Send the image as multipart/form-data, or announce it as application/json.');
  }
  const [file] = readAnnouncedFiles(await readJsonBytes(incoming), requestIssues, {
    filesMax: 1,
    bytesMax: imageBytesMax,
  });
  if (!file) throw new Error('An announcement has one file.');
  return announceImage(file, store());
}
