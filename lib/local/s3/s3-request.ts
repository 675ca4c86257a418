import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { badRequest, S3Error } from './s3-error.ts';

const keyBytesMax = 1_024;

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
