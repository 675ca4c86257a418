import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { fileSizeBytesMax } from '#lib/domain/attachment.ts';
import type { HttpError } from '#lib/http/errors.ts';
import { malformedMultipart } from './refusals.ts';
import { type PartHeader, watchParser } from './watch-parser.ts';

/** RFC 2046, 5.1.1 */
const boundaryLengthMax = 70;
const partsMax = 1_000;
/** How much may wait between the connection and whoever stores a file. */
const bufferBytes = 262_144;

/** A file part. Its bytes have to be read to their end before the body goes on. */
export interface FilePart {
  /** The name of the form's field, perhaps none. */
  readonly fieldName: string;
  /** As sent, perhaps empty; nothing in it is to be trusted. */
  readonly sentName: string;
  readonly declaredType: string | undefined;
  /** At most one byte more than a file may have; what follows is dropped. */
  readonly bytes: Readable;
}

/** Takes a multipart body in, chunk by chunk. */
export interface MultipartReader {
  /** The first thing that is wrong with the body, if anything is. */
  readonly fault: HttpError | undefined;
  /** Settles when the next chunk may come; what comes after a fault is dropped. */
  write(chunk: Uint8Array): Promise<void>;
  /** There is no more; settles when the last part has been taken. */
  end(): Promise<void>;
  /** There will be no more. */
  abort(): Promise<void>;
}

/**
 * Reads a multipart body (RFC 7578) part by part.
 * @param take is called for one file part after the other and must not reject; parts that are no files are dropped
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
  tellParts(parser, fail, (part) => {
    // A stream that breaks off while nobody reads it would end the process.
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

/** Finds out which parts are files, and which ones the parser would pass over in silence. */
function tellParts(parser: Busboy, fail: (message: string) => void, tell: (part: FilePart) => void): void {
  let parts = 0;
  let header: PartHeader = { declaredType: undefined, namesFile: false, mayNameFile: false };
  let isTold = false;
  watchParser(parser, {
    see: (seen) => {
      header = seen;
      isTold = false;
      if (++parts > partsMax) fail(`A multipart body may have at most ${partsMax} parts.`);
    },
    done: () => {
      if (header.mayNameFile && !isTold) fail('The Content-Disposition of a part is malformed.');
    },
    strangeBoundary: () =>
      fail('A boundary of the multipart body goes on where its line has to end, or stands in the header of a part.'),
  });
  parser.on('file', (fieldName: string | undefined, bytes, { filename }: { filename: string | undefined }) => {
    isTold = true;
    if (!header.namesFile) return void bytes.on('error', () => undefined).resume();
    const { declaredType } = header;
    tell({ fieldName: fieldName ?? '', sentName: filename ?? '', declaredType, bytes });
  });
}
