import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { listenOnLoopback } from '../loopback-server.ts';
import { authorize } from './authorize.ts';
import { checkedBody, readDocument } from './checked-body.ts';
import { deleteObject, getObject, listObjects, mustBeNew, putObject, storedHeadersOf } from './object-operations.ts';
import { ObjectStore } from './object-store.ts';
import type { Operation, S3Answer, Store } from './operation.ts';
import { badRequest, notImplemented, S3Error } from './s3-error.ts';
import { parameter, readRequest, type S3Request } from './s3-request.ts';
import type { Credentials } from './signature.ts';
import { Uploads } from './uploads.ts';
import { document, textsOf } from './xml.ts';

const createUpload: Operation = ({ bucket, uploads }, request) => {
  const { id, key } = uploads.start(request.key, storedHeadersOf(request));
  const elements = { Bucket: bucket, Key: key, UploadId: id };
  return { status: 200, body: document('InitiateMultipartUploadResult', elements) };
};

const uploadPart: Operation = async ({ uploads }, request) => {
  const upload = uploads.get(parameter(request, 'uploadId') ?? '', request.key);
  const number = Number(parameter(request, 'partNumber'));
  return { status: 200, headers: { etag: await uploads.addPart(upload, number, checkedBody(request)) } };
};

const completeUpload: Operation = async ({ bucket, uploads }, request) => {
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

const abortUpload: Operation = async ({ uploads }, request) => {
  await uploads.abort(uploads.get(parameter(request, 'uploadId') ?? '', request.key));
  return { status: 204 };
};

const listUploads: Operation = ({ bucket, uploads }, request) => {
  const prefix = parameter(request, 'prefix') ?? '';
  const Upload = uploads.list(prefix).map(({ id, key, startedAt }) => ({
    Key: key,
    UploadId: id,
    Initiated: new Date(startedAt).toISOString(),
  }));
  const elements = { Bucket: bucket, Prefix: prefix, IsTruncated: false, Upload };
  return { status: 200, body: document('ListMultipartUploadsResult', elements) };
};

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

/** The bucket of the local run and the tests. */
export const filesBucket = 'workspace-files';

export interface S3Options extends Credentials {
  readonly bucket: string;
  /** Folder of the objects; by default a temporary one, which is removed at the end. */
  readonly directory?: string | undefined;
}

export interface S3Engine {
  readonly endpoint: string;
  readonly bucket: string;
  /** Signed calls of each operation since the last reset. */
  readonly calls: () => Readonly<Record<string, number>>;
  readonly resetCalls: () => void;
  stop(): Promise<void>;
}

interface Engine {
  readonly options: S3Options;
  readonly store: Store;
  calls: Record<string, number>;
}

/** Starts an S3 with one bucket on loopback. Every request must be signed with the credentials. */
export async function startS3(options: S3Options): Promise<S3Engine> {
  const { bucket, directory } = options;
  const folder = directory === undefined ? makeTemporaryFolder() : undefined;
  const objects = await ObjectStore.open(directory ?? folder?.path ?? '');
  const engine: Engine = { options, store: { bucket, objects, uploads: new Uploads(objects) }, calls: {} };
  // A file may take long to arrive. A client must not reuse a connection that is about to close.
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: 65_000 },
    (message, response) => void serve(engine, message, response),
  );
  const { url, stop } = await listenOnLoopback(server);
  return {
    endpoint: url,
    bucket,
    calls: () => ({ ...engine.calls }),
    resetCalls: () => {
      engine.calls = {};
    },
    stop: async () => {
      await stop();
      folder?.remove();
    },
  };
}

/** Makes a folder that is removed with this process. After a kill, the system removes it. */
function makeTemporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'workspace-files-'));
  const remove = () => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return { path, remove };
}

async function serve(engine: Engine, message: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(commonHeaders(message))) response.setHeader(name, value);
  try {
    await send(response, await answer(engine, message));
  } catch (error) {
    // The response has no socket while an earlier one on the same connection is being sent.
    const { socket } = message;
    if (response.headersSent || !socket.writable) return void socket.destroy();
    if (!(error instanceof S3Error)) console.error(error);
    await send(response, failure(error)).catch(() => socket.destroy());
  }
}

async function answer(engine: Engine, message: IncomingMessage): Promise<S3Answer> {
  if (message.method === 'OPTIONS') return { status: 200 };
  const request = readRequest(message);
  const { presigned } = authorize(engine.options, request);
  if (request.bucket !== engine.store.bucket) {
    throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
  }
  const { name, run } = pickOperation(request);
  if (!presigned) engine.calls[name] = (engine.calls[name] ?? 0) + 1;
  return run(engine.store, request);
}

async function send(response: ServerResponse, { status, headers = {}, body = '' }: S3Answer): Promise<void> {
  const isText = typeof body === 'string';
  const type = isText && body !== '' ? { 'content-type': 'application/xml' } : {};
  const length = isText && status !== 204 ? { 'content-length': Buffer.byteLength(body) } : {};
  response.writeHead(status, { ...type, ...length, ...headers });
  if (response.req.method === 'HEAD') response.end();
  else if (isText) response.end(body);
  else await pipeline(Readable.from(body, { objectMode: false }), response);
}

/** CORS headers let any page with a presigned address put a file directly into the bucket. */
const commonHeaders = ({ headers }: IncomingMessage): Record<string, string> => ({
  'x-amz-request-id': randomUUID(),
  ...(headers.origin !== undefined && {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, PUT',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-expose-headers': 'ETag',
    'access-control-max-age': '3000',
  }),
});

function failure(error: unknown): S3Answer {
  const { statusCode, code, message } =
    error instanceof S3Error ? error : new S3Error(500, 'InternalError', 'We encountered an internal error.');
  return { status: statusCode, body: document('Error', { Code: code, Message: message }) };
}
