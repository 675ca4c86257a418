import { deleteObject, getObject, listObjects, putObject } from './object-operations.ts';
import type { Operation } from './operation.ts';
import { notImplemented } from './s3-error.ts';
import { parameter, type S3Request } from './s3-request.ts';
import { abortUpload, completeUpload, createUpload, listUploads, uploadPart } from './upload-operations.ts';

interface NamedOperation {
  readonly name: string;
  readonly run: Operation;
}

/** The operations by method, target and subresource. */
const operations: Readonly<Record<string, NamedOperation>> = {
  'PUT object': { name: 'PutObject', run: putObject },
  'GET object': { name: 'GetObject', run: getObject },
  'HEAD object': { name: 'HeadObject', run: getObject },
  'DELETE object': { name: 'DeleteObject', run: deleteObject },
  'POST object uploads': { name: 'CreateMultipartUpload', run: createUpload },
  'PUT object uploadId': { name: 'UploadPart', run: uploadPart },
  'POST object uploadId': { name: 'CompleteMultipartUpload', run: completeUpload },
  'DELETE object uploadId': { name: 'AbortMultipartUpload', run: abortUpload },
  'GET bucket list-type': { name: 'ListObjectsV2', run: listObjects },
  'GET bucket uploads': { name: 'ListMultipartUploads', run: listUploads },
};

/** Parameters that select another operation. Most of those operations are not supported. */
const subresources =
  `uploads uploadId list-type delete acl attributes cors encryption legal-hold lifecycle location logging notification
  object-lock policy replication restore retention select tagging torrent versioning versions versionId website`.split(
    /\s+/,
  );

/** @throws S3Error 501 for an unsupported operation */
export function pickOperation(request: S3Request): NamedOperation {
  const target = request.key === '' ? 'bucket' : 'object';
  const subresource = subresources.find((name) => parameter(request, name) !== undefined);
  const operation = operations[[request.method, target, subresource].filter(Boolean).join(' ')];
  if (!operation) throw notImplemented();
  return operation;
}
