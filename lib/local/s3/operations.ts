import { readByteRange } from '../../domain/files/byte-range.ts';
import { type Bucket, md5Of, type ObjectHead, type Uploads } from './bucket.ts';
import {
  badRequest,
  headerOf,
  noSuchKey,
  notImplemented,
  parameter,
  preconditionFailed,
  readBody,
  S3Error,
  type S3Request,
} from './s3-request.ts';
import { document, textsOf } from './xml.ts';

export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An XML document, or the bytes of an object. */
  readonly body?: string | Uint8Array;
}

type Operation = (bucket: Bucket, request: S3Request, uploads: Uploads) => S3Answer | Promise<S3Answer>;

export interface NamedOperation {
  readonly name: string;
  readonly run: Operation;
}

const documentBytesMax = 2 * 1_048_576;

/** The only header that is stored with an object and sent with it. */
const typeOf = (request: S3Request): string => headerOf(request, 'content-type') || 'binary/octet-stream';

/** `If-None-Match: *` allows no overwrite. */
const mustBeNew = (request: S3Request): boolean => headerOf(request, 'if-none-match') === '*';

const putObject: Operation = async (bucket, request) => {
  const { key } = request;
  if (headerOf(request, 'x-amz-copy-source') !== undefined) throw notImplemented();
  if (mustBeNew(request) && bucket.head(key)) throw preconditionFailed();
  const content = await readBody(request);
  const etag = `"${md5Of(content)}"`;
  bucket.put({ key, etag, type: typeOf(request) }, content, mustBeNew(request));
  return { status: 200, headers: { etag } };
};

const getObject: Operation = (bucket, request) => {
  const { key, method } = request;
  const object = bucket.head(key);
  if (!object) throw noSuchKey();
  const range = readByteRange(headerOf(request, 'range'), object.size);
  if (range === 'outside') throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable');
  const { start, end } = range ?? { start: 0, end: object.size };
  return {
    status: range ? 206 : 200,
    headers: {
      ...headersOf(object),
      'content-length': String(end - start),
      ...(range && { 'content-range': `bytes ${start}-${end - 1}/${object.size}` }),
    },
    ...(method !== 'HEAD' && { body: bucket.read(key, start, end) }),
  };
};

const headersOf = ({ etag, modifiedAt, type }: ObjectHead): Record<string, string> => ({
  'content-type': type,
  'accept-ranges': 'bytes',
  etag,
  'last-modified': new Date(modifiedAt).toUTCString(),
});

const deleteObject: Operation = (bucket, { key }) => {
  bucket.remove(key);
  return { status: 204 };
};

/** Lists all keys of a prefix on one page. */
const listObjects: Operation = (bucket, request) => {
  const Prefix = parameter(request, 'prefix') ?? '';
  const Contents = bucket.list(Prefix).map(({ key, etag, size, modifiedAt }) => {
    return { Key: key, LastModified: new Date(modifiedAt).toISOString(), ETag: etag, Size: size };
  });
  const page = { Name: bucket.name, Prefix, KeyCount: Contents.length, MaxKeys: Contents.length, IsTruncated: false };
  return { status: 200, body: document('ListBucketResult', { ...page, Contents }) };
};

const createUpload: Operation = (bucket, request, uploads) => {
  const { id, key } = uploads.start(request.key, typeOf(request));
  const elements = { Bucket: bucket.name, Key: key, UploadId: id };
  return { status: 200, body: document('InitiateMultipartUploadResult', elements) };
};

/** @throws S3Error 404 */
const uploadOf = (request: S3Request, uploads: Uploads) =>
  uploads.get(parameter(request, 'uploadId') ?? '', request.key);

const uploadPart: Operation = async (_, request, uploads) => {
  const number = Number(parameter(request, 'partNumber'));
  return {
    status: 200,
    headers: { etag: await uploads.addPart(uploadOf(request, uploads), number, readBody(request)) },
  };
};

const completeUpload: Operation = async (bucket, request, uploads) => {
  const upload = uploadOf(request, uploads);
  const xml = String(await readBody(request, documentBytesMax));
  const numbers = textsOf(xml, 'PartNumber');
  const etags = textsOf(xml, 'ETag');
  if (numbers.length !== etags.length) throw badRequest('MalformedXML', 'The XML you provided was not well-formed');
  const parts = numbers.map((number, index) => ({ number: Number(number), etag: etags[index] ?? '' }));
  const etag = uploads.complete(upload, parts, mustBeNew(request));
  const elements = { Bucket: bucket.name, Key: upload.key, ETag: etag };
  return { status: 200, body: document('CompleteMultipartUploadResult', elements) };
};

const abortUpload: Operation = (_, request, uploads) => {
  uploads.abort(uploadOf(request, uploads));
  return { status: 204 };
};

const listUploads: Operation = (bucket, request, uploads) => {
  const Prefix = parameter(request, 'prefix') ?? '';
  const Upload = uploads.list(Prefix).map(({ id, key, startedAt }) => {
    return { Key: key, UploadId: id, Initiated: new Date(startedAt).toISOString() };
  });
  const elements = { Bucket: bucket.name, Prefix, IsTruncated: false, Upload };
  return { status: 200, body: document('ListMultipartUploadsResult', elements) };
};

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
