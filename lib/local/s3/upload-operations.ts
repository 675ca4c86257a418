import { checkedBody, readDocument } from './checked-body.ts';
import { mustBeNew, storedHeadersOf } from './object-operations.ts';
import type { Operation } from './operation.ts';
import { badRequest } from './s3-error.ts';
import { parameter } from './s3-request.ts';
import { document, textsOf } from './xml.ts';

export const createUpload: Operation = ({ bucket, uploads }, request) => {
  const { id, key } = uploads.start(request.key, storedHeadersOf(request));
  const elements = { Bucket: bucket, Key: key, UploadId: id };
  return { status: 200, body: document('InitiateMultipartUploadResult', elements) };
};

export const uploadPart: Operation = async ({ uploads }, request) => {
  const upload = uploads.get(parameter(request, 'uploadId') ?? '', request.key);
  const number = Number(parameter(request, 'partNumber'));
  return { status: 200, headers: { etag: await uploads.addPart(upload, number, checkedBody(request)) } };
};

export const completeUpload: Operation = async ({ bucket, uploads }, request) => {
  const upload = uploads.get(parameter(request, 'uploadId') ?? '', request.key);
  const xml = await readDocument(request);
  const numbers = textsOf(xml, 'PartNumber');
  const etags = textsOf(xml, 'ETag');
  if (numbers.length !== etags.length) throw badRequest('MalformedXML', 'The XML you provided was not well-formed');
  const parts = numbers.map((number, index) => ({ number: Number(number), etag: etags[index] ?? '' }));
  const { key, etag } = await uploads.complete(upload, parts, mustBeNew(request));
  const elements = { Bucket: bucket, Key: key, ETag: etag };
  return { status: 200, body: document('CompleteMultipartUploadResult', elements) };
};

export const abortUpload: Operation = async ({ uploads }, request) => {
  await uploads.abort(uploads.get(parameter(request, 'uploadId') ?? '', request.key));
  return { status: 204 };
};

export const listUploads: Operation = ({ bucket, uploads }, request) => {
  const prefix = parameter(request, 'prefix') ?? '';
  const Upload = uploads.list(prefix).map(({ id, key, startedAt }) => ({
    Key: key,
    UploadId: id,
    Initiated: new Date(startedAt).toISOString(),
  }));
  const elements = { Bucket: bucket, Prefix: prefix, IsTruncated: false, Upload };
  return { status: 200, body: document('ListMultipartUploadsResult', elements) };
};
