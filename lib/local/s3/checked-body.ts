import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { badRequest, notImplemented, S3Error } from './s3-error.ts';
import { headerOf, type S3Request } from './s3-request.ts';

/**
 * Yields the bytes of a body, and at its end checks its length and the checksums of the request. A body with a trailing
 * checksum (aws-chunked) is not supported.
 * @throws S3Error at the end for a wrong length or checksum
 */
export async function* checkedBody(request: S3Request): AsyncGenerator<Buffer> {
  const { headers, body } = request;
  const payload = String(headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD');
  if (payload.startsWith('STREAMING-')) throw notImplemented();
  const length = headers['content-length'];
  if (length === undefined) throw new S3Error(411, 'MissingContentLength', 'You must provide the Content-Length.');
  const sums = new Sums();
  // A caller that stops reading must still be able to answer on the connection.
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for await (const piece of pieces) {
    sums.add(piece);
    yield piece;
  }
  if (sums.length !== Number(length)) throw badRequest('IncompleteBody', 'The body is not as long as it says.');
  if (/^[0-9a-f]{64}$/.test(payload) && sums.sha256('hex') !== payload) {
    throw badRequest('XAmzContentSHA256Mismatch', 'The body is not the one that was signed.');
  }
  requireEqual(headerOf(request, 'content-md5'), sums.md5);
  requireEqual(headerOf(request, 'x-amz-checksum-crc32'), sums.crc32);
  requireEqual(headerOf(request, 'x-amz-checksum-sha256'), () => sums.sha256('base64'));
}

function requireEqual(announced: string | undefined, computed: () => string): void {
  if (announced !== undefined && announced !== computed()) {
    throw badRequest('BadDigest', 'The checksum you specified did not match what was received.');
  }
}

class Sums {
  length = 0;
  #crc32 = 0;
  readonly #md5 = createHash('md5');
  readonly #sha256 = createHash('sha256');

  add(piece: Buffer): void {
    this.length += piece.length;
    this.#crc32 = crc32(piece, this.#crc32);
    this.#md5.update(piece);
    this.#sha256.update(piece);
  }

  md5 = (): string => this.#md5.digest('base64');
  sha256 = (encoding: 'hex' | 'base64'): string => this.#sha256.copy().digest(encoding);
  crc32 = (): string => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#crc32);
    return bytes.toString('base64');
  };
}

const documentBytesMax = 2 * 1_048_576;

/** Reads the body as a small XML document. */
export async function readDocument(request: S3Request): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of checkedBody(request)) {
    bytes += piece.length;
    if (bytes > documentBytesMax) throw badRequest('MaxMessageLengthExceeded', 'Your request was too big.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
