import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

/** An error answer of S3. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly statusCode: number;
  readonly code: string;

  constructor(statusCode: number, code: string, message = code) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}

export const accessDenied = (message: string) => new S3Error(403, 'AccessDenied', message);
export const badRequest = (code: string, message: string) => new S3Error(400, code, message);
export const noSuchKey = () => new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
export const noSuchUpload = () => new S3Error(404, 'NoSuchUpload', 'The specified upload does not exist.');
export const preconditionFailed = () => new S3Error(412, 'PreconditionFailed', 'A precondition did not hold.');
export const notImplemented = () => new S3Error(501, 'NotImplemented', 'This operation is not supported.');

const keyBytesMax = 1_024;
/** A single value of the database has at most a thousand million bytes. */
const bodyBytesMax = 1_000_000_000;

/** A request with its parsed address. */
export interface S3Request {
  readonly method: string;
  /** The decoded segments of the path. */
  readonly path: readonly string[];
  readonly bucket: string;
  /** Empty for operations of the bucket. */
  readonly key: string;
  /** Decoded names and values in the order sent. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

/** @throws S3Error for an undecodable address or a too long key */
export function readRequest(message: IncomingMessage): S3Request {
  const { method = '', url = '/', headers } = message;
  const [path = '', ...queries] = url.split('?');
  const [, ...segments] = path.split('/').map(decode);
  const [bucket = '', ...rest] = segments;
  const key = rest.join('/');
  if (Buffer.byteLength(key) > keyBytesMax) throw badRequest('KeyTooLongError', 'Your key is too long.');
  return { method, path: segments, bucket, key, query: readQuery(queries.join('?')), headers, body: message };
}

const readQuery = (query: string): [string, string][] =>
  query
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decode(name), decode(value.join('='))];
    });

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, 'InvalidURI', 'The address could not be decoded.');
  }
}

/** The first value of a parameter; empty for a parameter without a value. */
export const parameter = ({ query }: Pick<S3Request, 'query'>, parameterName: string): string | undefined =>
  query.find(([name]) => name === parameterName)?.[1];

/** A header, or the parameter of a presigned address in its place. */
export function headerOf(request: Pick<S3Request, 'query' | 'headers'>, headerName: string): string | undefined {
  const value = request.headers[headerName];
  if (value !== undefined) return String(value);
  return request.query.find(([name]) => name.toLowerCase() === headerName)?.[1];
}

/**
 * Reads a body, and checks its length and the checksums of the request. A body with a trailing checksum (aws-chunked) is
 * not supported.
 * @throws S3Error for a wrong length or checksum
 */
export async function readBody(request: S3Request, bytesMax = bodyBytesMax): Promise<Buffer> {
  const { headers, body } = request;
  const payload = String(headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD');
  if (payload.startsWith('STREAMING-')) throw notImplemented();
  const length = headers['content-length'];
  if (length === undefined) throw new S3Error(411, 'MissingContentLength', 'You must provide the Content-Length.');
  if (Number(length) > bytesMax) throw badRequest('EntityTooLarge', 'Your proposed upload is too large.');
  const content = await buffer(body);
  if (content.length !== Number(length)) throw badRequest('IncompleteBody', 'The body is not as long as it says.');
  const sha256 = createHash('sha256').update(content).digest();
  if (/^[0-9a-f]{64}$/.test(payload) && sha256.toString('hex') !== payload) {
    throw badRequest('XAmzContentSHA256Mismatch', 'The body is not the one that was signed.');
  }
  const sums = {
    'content-md5': () => createHash('md5').update(content).digest('base64'),
    'x-amz-checksum-crc32': () => Buffer.from(crc32(content).toString(16).padStart(8, '0'), 'hex').toString('base64'),
    'x-amz-checksum-sha256': () => sha256.toString('base64'),
  };
  for (const [name, computed] of Object.entries(sums)) {
    const announced = headerOf(request, name);
    if (announced !== undefined && announced !== computed()) {
      throw badRequest('BadDigest', 'The checksum you specified did not match what was received.');
    }
  }
  return content;
}
