import type { Operation } from './operation.ts';
import { parameter } from './s3-request.ts';
import { document } from './xml.ts';

/** All keys of a prefix on one page, in the order of their bytes. */
export const listObjects: Operation = ({ bucket, objects }, request) => {
  const Prefix = parameter(request, 'prefix') ?? '';
  const Contents = objects.all(Prefix).map(({ key, etag, size, modifiedAt }) => {
    return { Key: key, LastModified: new Date(modifiedAt).toISOString(), ETag: etag, Size: size };
  });
  const page = { Name: bucket, Prefix, KeyCount: Contents.length, MaxKeys: Contents.length, IsTruncated: false };
  return { status: 200, body: document('ListBucketResult', { ...page, Contents }) };
};
