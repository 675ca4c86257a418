import { readDocument } from './checked-body.ts';
import type { Operation } from './operation.ts';
import { badRequest } from './s3-error.ts';
import { parameter, type S3Request } from './s3-request.ts';
import { document, textsOf } from './xml.ts';

const pageMax = 1_000;

export const headBucket: Operation = () => ({ status: 200 });

export const deleteObjects: Operation = async ({ objects }, request) => {
  const keys = textsOf(await readDocument(request), 'Key');
  if (keys.length === 0 || keys.length > pageMax) {
    throw badRequest('MalformedXML', 'The XML you provided was not well-formed');
  }
  for (const key of keys) await objects.remove(key);
  return { status: 200, body: document('DeleteResult', { Deleted: keys.map((Key) => ({ Key })) }) };
};

export const listObjects: Operation = ({ bucket, objects }, request) => {
  const [prefix, delimiter] = [parameter(request, 'prefix') ?? '', parameter(request, 'delimiter') ?? ''];
  const { rows, isTruncated } = page(objects.keys(), request, prefix, delimiter);
  const Contents = rows.flatMap((key) => {
    const object = objects.get(key);
    if (!object || isCommonPrefix(key, prefix, delimiter)) return [];
    const { etag, size, modifiedAt } = object;
    return [{ Key: key, LastModified: new Date(modifiedAt).toISOString(), ETag: etag, Size: size }];
  });
  const CommonPrefixes = rows.filter((row) => isCommonPrefix(row, prefix, delimiter)).map((Prefix) => ({ Prefix }));
  const last = rows.at(-1) ?? '';
  const body = document('ListBucketResult', {
    Name: bucket,
    Prefix: prefix,
    Delimiter: delimiter || undefined,
    KeyCount: rows.length,
    MaxKeys: pageSize(request),
    IsTruncated: isTruncated,
    NextContinuationToken: isTruncated ? Buffer.from(last).toString('base64url') : undefined,
    Contents,
    CommonPrefixes,
  });
  return { status: 200, body };
};

/** Keys, and in the place of those that share a prefix up to the delimiter, that prefix. */
function page(keys: readonly string[], request: S3Request, prefix: string, delimiter: string) {
  const token = parameter(request, 'continuation-token');
  const after = token ? Buffer.from(token, 'base64url') : Buffer.from(parameter(request, 'start-after') ?? '');
  const found = keys.filter((key) => key.startsWith(prefix)).map((key) => rowOf(key, prefix, delimiter));
  const rows = [...new Set(found)].filter((row) => Buffer.compare(Buffer.from(row), after) > 0);
  const size = pageSize(request);
  return { rows: rows.slice(0, size), isTruncated: rows.length > size };
}

function rowOf(key: string, prefix: string, delimiter: string): string {
  const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
  return end === -1 ? key : key.slice(0, end + delimiter.length);
}

const isCommonPrefix = (row: string, prefix: string, delimiter: string): boolean =>
  delimiter !== '' && row.length > prefix.length && row.endsWith(delimiter);

/** @throws S3Error 400 */
function pageSize(request: S3Request): number {
  const size = Number(parameter(request, 'max-keys') ?? pageMax);
  if (!Number.isInteger(size) || size < 0) throw badRequest('InvalidArgument', 'Argument maxKeys must be an integer');
  return Math.min(size, pageMax);
}
