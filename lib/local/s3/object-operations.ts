import { readByteRange } from '../../domain/files/byte-range.ts';
import { checkedBody } from './checked-body.ts';
import type { Operation } from './operation.ts';
import { noSuchKey, notImplemented, preconditionFailed, S3Error } from './s3-error.ts';
import { headerOf, parameter, type S3Request } from './s3-request.ts';
import type { StoredObject } from './stored-object.ts';
import { document } from './xml.ts';

/** The request headers that are stored with the object and sent with it. */
export function storedHeadersOf(request: S3Request): Record<string, string> {
  const type = headerOf(request, 'content-type');
  return type ? { 'content-type': type } : {};
}

/** `If-None-Match: *` allows no overwrite. */
export const mustBeNew = (request: S3Request): boolean => headerOf(request, 'if-none-match') === '*';

export const putObject: Operation = async ({ objects }, request) => {
  const { key } = request;
  if (headerOf(request, 'x-amz-copy-source') !== undefined) throw notImplemented();
  if (mustBeNew(request) && objects.get(key)) throw preconditionFailed();
  const headers = storedHeadersOf(request);
  const blob = await objects.blobs.store(checkedBody(request));
  const etag = `"${blob.md5}"`;
  const object = { key, etag, size: blob.size, modifiedAt: Date.now(), headers, blobs: [blob] };
  await objects.put(object, mustBeNew(request));
  return { status: 200, headers: { etag } };
};

export const getObject: Operation = ({ objects }, request) => {
  const object = objects.get(request.key);
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
    body: objects.read(object, start, end),
  };
};

export const deleteObject: Operation = async ({ objects }, { key }) => {
  await objects.remove(key);
  return { status: 204 };
};

/** Lists all keys of a prefix on one page. */
export const listObjects: Operation = ({ bucket, objects }, request) => {
  const Prefix = parameter(request, 'prefix') ?? '';
  const Contents = objects.list(Prefix).map(({ key, etag, size, modifiedAt }) => {
    return { Key: key, LastModified: new Date(modifiedAt).toISOString(), ETag: etag, Size: size };
  });
  const page = { Name: bucket, Prefix, KeyCount: Contents.length, MaxKeys: Contents.length, IsTruncated: false };
  return { status: 200, body: document('ListBucketResult', { ...page, Contents }) };
};

function headersOf({ etag, modifiedAt, headers }: StoredObject): Record<string, string> {
  return {
    'content-type': 'binary/octet-stream',
    ...headers,
    'accept-ranges': 'bytes',
    etag,
    'last-modified': new Date(modifiedAt).toUTCString(),
  };
}
