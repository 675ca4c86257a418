import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { logError } from '#lib/http/work-log.ts';
import { listenOnLoopback } from '../http-server.ts';
import { Bucket, Uploads } from './bucket.ts';
import { pickOperation, type S3Answer } from './operations.ts';
import { accessDenied, badRequest, parameter, readRequest, S3Error, type S3Request } from './s3-request.ts';
import { type Credentials, isSignedBy, type Signed } from './signature.ts';
import { document } from './xml.ts';

/** The bucket of the local run and the tests. */
export const filesBucket = 'workspace-files';

interface S3Options extends Credentials {
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

const skewMillisecondsMax = 15 * 60_000;
const expirySecondsMax = 7 * 86_400;

interface Claim extends Signed {
  /** `<access key id>/<day>/<region>/s3/aws4_request` */
  readonly credential: string;
}

/**
 * Checks the signature of a request as S3 does, in its headers or in its address.
 * @returns `presigned` is true for a signature in the address
 * @throws S3Error without a signature, or with one for another secret, time or request
 */
function authorize(credentials: Credentials, request: S3Request, now = Date.now()): { readonly presigned: boolean } {
  const presigned = parameter(request, 'X-Amz-Signature') !== undefined;
  if (presigned && request.headers.authorization !== undefined) {
    throw badRequest('InvalidArgument', 'Only one auth mechanism allowed.');
  }
  const claim = presigned ? readQueryClaim(request, now) : readHeaderClaim(request, now);
  const [accessKeyId, ...scope] = claim.credential.split('/');
  if (accessKeyId !== credentials.accessKeyId) {
    throw new S3Error(403, 'InvalidAccessKeyId', 'The access key id you provided does not exist in our records.');
  }
  if (scope.join('/') !== `${claim.time.slice(0, 8)}/${credentials.region}/s3/aws4_request`) {
    throw badRequest('AuthorizationHeaderMalformed', 'The credential is not of this day, region and service.');
  }
  requireAllSigned(request, claim);
  if (!isSignedBy(credentials, request, claim)) {
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The request signature does not match the one you provided.');
  }
  return { presigned };
}

function readHeaderClaim({ headers }: S3Request, now: number): Claim {
  const { authorization } = headers;
  if (authorization === undefined) throw accessDenied('Anonymous access is forbidden.');
  const parts = /^AWS4-HMAC-SHA256 Credential=([^, ]+), ?SignedHeaders=([^, ]+), ?Signature=([0-9a-f]{64})$/.exec(
    authorization,
  );
  const [, credential = '', signedHeaders = '', signature = ''] = parts ?? [];
  const time = String(headers['x-amz-date'] ?? '');
  const payloadHash = headers['x-amz-content-sha256'];
  if (!parts) throw badRequest('AuthorizationHeaderMalformed', 'The authorization header is malformed.');
  if (typeof payloadHash !== 'string') throw badRequest('InvalidRequest', 'Missing x-amz-content-sha256.');
  if (!(Math.abs(timeOf(time) - now) <= skewMillisecondsMax)) {
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The time of the request is too far from the server time.');
  }
  return { credential, headers: signedHeaders.split(';'), signature, time, payloadHash };
}

function readQueryClaim(request: S3Request, now: number): Claim {
  const amz = (name: string) => parameter(request, `X-Amz-${name}`) ?? '';
  const time = amz('Date');
  const expirySeconds = Number(amz('Expires') || 'none');
  if (amz('Algorithm') !== 'AWS4-HMAC-SHA256' || !(expirySeconds >= 1 && expirySeconds <= expirySecondsMax)) {
    throw badRequest('AuthorizationQueryParametersError', 'The signature in the address is malformed.');
  }
  const signedAt = timeOf(time);
  if (!(now >= signedAt - skewMillisecondsMax && now <= signedAt + expirySeconds * 1_000)) {
    throw accessDenied('Request has expired');
  }
  return {
    credential: amz('Credential'),
    headers: amz('SignedHeaders').split(';'),
    signature: amz('Signature'),
    time,
    payloadHash: amz('Content-Sha256') || String(request.headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD'),
  };
}

/** Every `x-amz-` header must be signed, because it can change the meaning of the request. */
function requireAllSigned({ headers }: S3Request, { headers: signed }: Claim): void {
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !signed.includes(name));
  if (!signed.includes('host') || unsigned.length > 0) {
    throw accessDenied('There were headers present in the request which were not signed');
  }
}

/** @returns NaN for an invalid time */
const timeOf = (time: string): number =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
