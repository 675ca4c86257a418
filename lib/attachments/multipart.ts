import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { fileSizeBytesMax } from '#lib/domain/messaging/attachment.ts';
import type { HttpError } from '#lib/http/errors.ts';
import { FileParts } from './file-parts.ts';
import { fileNameOf, type PartHeader } from './part-header.ts';
import { malformedMultipart } from './refusals.ts';

/** RFC 2046, 5.1.1 */
const boundaryLengthMax = 70;
/** Buffer between the connection and the bucket. */
const bufferBytes = 262_144;

/** A file part. The body continues only after its bytes have been read to the end. */
export interface FilePart {
  /** The name of the form field, possibly empty. */
  readonly fieldName: string;
  /** The untrusted file name as sent, possibly empty. */
  readonly sentName: string;
  readonly declaredType: string | undefined;
  /** At most one byte more than the limit of a file. The rest is dropped. */
  readonly bytes: Readable;
}

/** Receives a multipart body chunk by chunk. */
export interface MultipartReader {
  /** The first error of the body, if any. */
  readonly fault: HttpError | undefined;
  /** Settles when the next chunk may be written. Chunks after a fault are dropped. */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the body. Settles when the last part has been processed. */
  end(): Promise<void>;
  /** Stops before the end of the body. Settles when the current part has been processed. */
  abort(): Promise<void>;
}

/**
 * Reads a multipart body (RFC 7578) part by part.
 * @param take called for one file part at a time; must not reject. Other parts are dropped.
 * @throws 400 malformed_multipart without a usable boundary
 */
export function readMultipart(contentType: string, take: (part: FilePart) => Promise<void>): MultipartReader {
  const { parser, boundary } = openParser(contentType);
  let fault: HttpError | undefined;
  let pendingParts = Promise.resolve();
  const fail = (message: string) => {
    fault ??= malformedMultipart(message);
  };
  /** The headers of parts that busboy has not reported yet. */
  const headers: PartHeader[] = [];
  const fileParts = new FileParts(boundary, { onFilePart: (header) => headers.push(header), onFault: fail });
  const ended = new Promise<void>((resolve) => parser.once('close', resolve));
  parser.on('error', () => fail(cutShort));
  parser.on('file', (fieldName: string | undefined, bytes, { filename }: { filename: string | undefined }) => {
    // Without a listener, an 'error' event would end the process.
    bytes.on('error', () => undefined);
    const { namesFile, declaredType, disposition } = headers.shift() ?? noHeader;
    if (!namesFile) return void bytes.resume();
    const part = { fieldName: fieldName ?? '', sentName: fileNameOf(disposition, filename), declaredType, bytes };
    pendingParts = pendingParts.then(() => take(part));
  });
  return {
    get fault() {
      return fault;
    },
    write: async (chunk) => {
      const pieces = fileParts.push(chunk);
      if (fault) parser.destroy();
      if (parser.destroyed || pieces.map((piece) => parser.write(piece)).every(Boolean)) return;
      await Promise.race([new Promise<void>((resolve) => parser.once('drain', resolve)), ended]);
    },
    end: async () => {
      if (!fileParts.isComplete) fail(cutShort);
      if (!parser.destroyed) parser.end();
      await ended;
      await pendingParts;
      if (headers.length > 0) fail('The Content-Disposition of a part is malformed.');
    },
    abort: async () => {
      parser.destroy();
      await pendingParts;
    },
  };
}

const cutShort = 'The multipart body is malformed or ends too early.';
const noHeader = { namesFile: false, declaredType: undefined, disposition: '' };

function openParser(contentType: string): { readonly parser: Busboy; readonly boundary: string } {
  try {
    const found = /;[ \t]*boundary[ \t]*=[ \t]*(?:"([^"]*)"|([^;\s]*))/i.exec(contentType);
    const boundary = found?.[1] ?? found?.[2] ?? '';
    if (boundary.length === 0 || boundary.length > boundaryLengthMax) throw new Error('RFC 2046: 1 to 70 characters.');
    const parser = busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      preservePath: true,
      highWaterMark: bufferBytes,
      fileHwm: bufferBytes,
      // The parser reports a file of exactly the limit as too large.
      limits: { fileSize: fileSizeBytesMax + 1 },
    });
    return { parser, boundary };
  } catch {
    throw malformedMultipart('The Content-Type must name a boundary of 1 to 70 characters.');
  }
}
