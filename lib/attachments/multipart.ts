import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { fileSizeBytesMax } from '#lib/domain/attachment.ts';
import type { HttpError } from '#lib/http/errors.ts';
import { malformedMultipart } from './refusals.ts';
import { type PartHeader, watchParser } from './watch-parser.ts';

/** RFC 2046, 5.1.1 */
const boundaryLengthMax = 70;
const partsMax = 1_000;
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
  const parser = openParser(contentType);
  let fault: HttpError | undefined;
  let taken = Promise.resolve();
  const fail = (message: string) => {
    fault ??= malformedMultipart(message);
  };
  const ended = new Promise<void>((resolve) => parser.once('close', resolve));
  parser.on('error', () => fail('The multipart body is malformed or ends too early.'));
  reportParts(parser, fail, (part) => {
    // Without a listener, an 'error' event would end the process.
    part.bytes.on('error', () => undefined);
    taken = taken.then(() => take(part));
  });
  return {
    get fault() {
      return fault;
    },
    write: async (chunk) => {
      if (fault) parser.destroy();
      if (parser.destroyed || parser.write(chunk)) return;
      await Promise.race([new Promise<void>((resolve) => parser.once('drain', resolve)), ended]);
    },
    end: async () => {
      if (!parser.destroyed) parser.end();
      await ended;
      await taken;
    },
    abort: async () => {
      parser.destroy();
      await taken;
    },
  };
}

function openParser(contentType: string): Busboy {
  try {
    const boundary = /;[ \t]*boundary[ \t]*=[ \t]*(?:"([^"]*)"|([^;\s]*))/i.exec(contentType);
    const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
    if (length === 0 || length > boundaryLengthMax) throw new Error('RFC 2046 allows 1 to 70 characters.');
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      preservePath: true,
      highWaterMark: bufferBytes,
      fileHwm: bufferBytes,
      // The parser reports a file of exactly the limit as too large.
      limits: { fileSize: fileSizeBytesMax + 1 },
    });
  } catch {
    throw malformedMultipart('The Content-Type must name a boundary of 1 to 70 characters.');
  }
}

/** Reports file parts, and the malformed parts that the parser would skip silently. */
function reportParts(parser: Busboy, fail: (message: string) => void, report: (part: FilePart) => void): void {
  let parts = 0;
  let header: PartHeader = { declaredType: undefined, namesFile: false, mayNameFile: false };
  let isReported = false;
  watchParser(parser, {
    onHeader: (seen) => {
      header = seen;
      isReported = false;
      if (++parts > partsMax) fail(`A multipart body may have at most ${partsMax} parts.`);
    },
    onPartDone: () => {
      if (header.mayNameFile && !isReported) fail('The Content-Disposition of a part is malformed.');
    },
    onMisplacedBoundary: () =>
      fail('A boundary of the multipart body is not at the end of its line, or is inside the header of a part.'),
  });
  parser.on('file', (fieldName: string | undefined, bytes, { filename }: { filename: string | undefined }) => {
    isReported = true;
    if (!header.namesFile) return void bytes.on('error', () => undefined).resume();
    const { declaredType } = header;
    report({ fieldName: fieldName ?? '', sentName: filename ?? '', declaredType, bytes });
  });
}
