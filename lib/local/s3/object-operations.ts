import { readByteRange } from '../../domain/files/byte-range.ts';
import { checkedBody } from './checked-body.ts';
import type { Operation, S3Answer } from './operation.ts';
import { noSuchKey, notImplemented, preconditionFailed, S3Error } from './s3-error.ts';
import { headerOf, type S3Request } from './s3-request.ts';
import type { StoredObject } from './stored-object.ts';

const keptHeaders = [
  'content-type',
  'content-disposition',
  'content-encoding',
  'content-language',
  'cache-control',
  'expires',
];

/** Request headers that are kept with the object and sent with it. */
export function keptHeadersOf(request: S3Request): Record<string, string> {
  const names = [...keptHeaders, ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-meta-'))];
  const kept = names.flatMap((name) => {
    const value = headerOf(request, name);
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(kept);
}

/** `If-None-Match: *`: only when there is no such object yet. */
export const isOnce = (request: S3Request): boolean => headerOf(request, 'if-none-match') === '*';

export const putObject: Operation = async ({ objects }, request) => {
  const { key } = request;
  if (headerOf(request, 'x-amz-copy-source') !== undefined) throw notImplemented();
  if (isOnce(request) && objects.get(key)) throw preconditionFailed();
  const headers = keptHeadersOf(request);
  const blob = await objects.blobs.store(checkedBody(request));
  const etag = `"${blob.md5}"`;
  const object = { key, etag, size: blob.size, modifiedAt: Date.now(), headers, blobs: [blob] };
  await objects.put(object, isOnce(request));
  return { status: 200, headers: { etag } };
};

export const getObject: Operation = ({ objects }, request) => {
  const object = objects.get(request.key);
  if (!object) throw noSuchKey();
  const headers = headersOf(object);
  const unmet = unmetCondition(object, request);
  if (unmet) return { ...unmet, headers };
  const range = readByteRange(headerOf(request, 'range'), object.size);
  if (range === 'outside') throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable');
  const { start, end } = range ?? { start: 0, end: object.size };
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
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

/** @throws S3Error 412 */
function unmetCondition({ etag }: StoredObject, request: S3Request): S3Answer | undefined {
  const named = (header: string) =>
    headerOf(request, header)
      ?.split(',')
      .map((tag) => tag.trim());
  const isNamed = (tags: readonly string[]) => tags.includes('*') || tags.includes(etag);
  const [wanted, unless] = [named('if-match'), named('if-none-match')];
  if (wanted && !isNamed(wanted)) throw preconditionFailed();
  return unless && isNamed(unless) ? { status: 304 } : undefined;
}

function headersOf({ etag, modifiedAt, headers }: StoredObject): Record<string, string> {
  return {
    'content-type': 'binary/octet-stream',
    ...headers,
    'accept-ranges': 'bytes',
    etag,
    'last-modified': new Date(modifiedAt).toUTCString(),
  };
}
