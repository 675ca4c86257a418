import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { logError } from '#lib/http/work-log.ts';
import { listenOnLoopback } from '../http-server.ts';
import { authorize } from './authorize.ts';
import { Bucket } from './bucket.ts';
import { pickOperation, type S3Answer } from './operations.ts';
import { readRequest, S3Error } from './s3-request.ts';
import type { Credentials } from './signature.ts';
import { Uploads } from './uploads.ts';
import { document } from './xml.ts';

/** The bucket of the local run and the tests. */
export const filesBucket = 'workspace-files';

export interface S3Options extends Credentials {
  readonly bucket: string;
  /** Folder of the objects; by default they are temporary, and end with this process. */
  readonly directory?: string | undefined;
  /** The lifecycle of objects below a key prefix: they end after this number of milliseconds, at most an hour late. */
  readonly expires?: { readonly prefix: string; readonly after: number };
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
  readonly bucket: Bucket;
  readonly uploads: Uploads;
  calls: Record<string, number>;
}

/** Starts an S3 with one bucket on loopback. Every request must be signed with the credentials. */
export async function startS3(options: S3Options): Promise<S3Engine> {
  const bucket = new Bucket(options.bucket, options.directory);
  const engine: Engine = { options, bucket, uploads: new Uploads(bucket), calls: {} };
  // A file may take long to arrive. A client must not reuse a connection that is about to close.
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: 65_000 },
    (message, response) => void serve(engine, message, response),
  );
  const { url, stop } = await listenOnLoopback(server);
  const endLifecycle = options.expires && startLifecycle(bucket, options.expires);
  return {
    endpoint: url,
    bucket: bucket.name,
    calls: () => ({ ...engine.calls }),
    resetCalls: () => {
      engine.calls = {};
    },
    stop: async () => {
      endLifecycle?.();
      await stop();
      bucket.close();
    },
  };
}

/** @returns ends it */
function startLifecycle(bucket: Bucket, { prefix, after }: Required<S3Options>['expires']): () => void {
  const expire = () => bucket.expire(prefix, after);
  expire();
  const timer = setInterval(expire, 60 * 60_000).unref();
  return () => clearInterval(timer);
}

async function serve(engine: Engine, message: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(commonHeaders(message))) response.setHeader(name, value);
  try {
    send(response, await answer(engine, message));
  } catch (error) {
    // The response has no socket while an earlier one on the same connection is being sent.
    const { socket } = message;
    if (response.headersSent || !socket.writable) return void socket.destroy();
    if (!(error instanceof S3Error)) logError('The embedded S3 failed.', error);
    send(response, failure(error));
  }
}

async function answer(engine: Engine, message: IncomingMessage): Promise<S3Answer> {
  if (message.method === 'OPTIONS') return { status: 200 };
  const request = readRequest(message);
  const { presigned } = authorize(engine.options, request);
  if (request.bucket !== engine.bucket.name) {
    throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
  }
  const { name, run } = pickOperation(request);
  if (!presigned) engine.calls[name] = (engine.calls[name] ?? 0) + 1;
  return run(engine.bucket, request, engine.uploads);
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: S3Answer): void {
  const type = typeof body === 'string' && body !== '' ? { 'content-type': 'application/xml' } : {};
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...type, ...length, ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : body);
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
