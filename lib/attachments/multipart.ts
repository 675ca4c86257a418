import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Busboy } from 'busboy';
import busboy from 'busboy';
import { fileSizeBytesMax } from '#lib/domain/messaging/attachment.ts';
import { type ParameterizedValue, readParameters } from '#lib/domain/text/header-parameters.ts';
import { HttpError } from '#lib/http/errors.ts';
import type { IncomingBody } from '#lib/http/receiving-api.ts';
import { BodyBytes } from './body-bytes.ts';
import { boundaryLengthMax, malformedMultipart, partsMax } from './refusals.ts';

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
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** How a multipart body ended. */
export interface MultipartEnd {
  readonly isTooLarge: boolean;
  /** The first error of the body, if any. */
  readonly fault: HttpError | undefined;
  /** Whether a part called `files` has no file name. */
  readonly hasNamelessFile: boolean;
}

/**
 * Reads a multipart body (RFC 7578) to its end, even after an error. busboy gets the parts that name a file. It would
 * skip a malformed part silently, and cut a file at a line that begins like the boundary.
 * @param take called for one file part at a time; must not reject. Other parts are dropped.
 * @throws 400 malformed_multipart without a usable boundary
 */
export async function readMultipart(
  { contentType, bytes }: Pick<IncomingBody, 'contentType' | 'bytes'>,
  bytesMax: number,
  take: (part: FilePart) => Promise<void>,
): Promise<MultipartEnd> {
  const boundary = boundaryOf(contentType);
  const parser = openParser(boundary);
  const form: Form = {
    delimiter: Buffer.from(`\r\n--${boundary}`, 'latin1'),
    body: new BodyBytes(bytes, bytesMax),
    header: undefined,
    taken: Promise.resolve(),
    hasNamelessFile: false,
  };
  parser.on('file', (fieldName = '', bytes: Readable, { filename = '' }: { filename?: string }) => {
    // Without a listener, an 'error' event would end the process.
    bytes.on('error', () => undefined);
    const { header } = form;
    form.header = undefined;
    const sentName = header?.isEncoded ? filename : unescaped(filename);
    form.taken = take({ fieldName: unescaped(fieldName), sentName, declaredType: header?.declaredType, bytes });
  });
  const fault = await pipeline(fileParts(form), parser).then(
    () => undefined,
    (error: unknown) => (error instanceof HttpError ? error : malformedMultipart('end')),
  );
  await form.taken;
  const isWhole = await form.body.readAll();
  return {
    isTooLarge: form.body.isTooLarge,
    fault: fault ?? (isWhole ? undefined : malformedMultipart('cut')),
    hasNamelessFile: form.hasNamelessFile,
  };
}

/** Browsers write only these three in another way (WHATWG HTML, multipart form data). */
const unescaped = (name: string): string => name.replaceAll(/%(?:22|0A|0D)/g, decodeURIComponent);

function boundaryOf(contentType: string): string {
  const { parameters } = readParameters(contentType) ?? {};
  if (!parameters) throw malformedMultipart('parameters');
  const boundary = parameters.get('boundary') ?? '';
  if (boundary === '') throw malformedMultipart('noBoundary');
  if (boundary.length > boundaryLengthMax) throw malformedMultipart('longBoundary');
  return boundary;
}

function openParser(boundary: string): Busboy {
  try {
    return busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary.replaceAll(/["\\]/g, '\\$&')}"` },
      defParamCharset: 'utf8',
      preservePath: true,
      highWaterMark: bufferBytes,
      fileHwm: bufferBytes,
      // The parser reports a file of exactly the limit as too large.
      limits: { fileSize: fileSizeBytesMax + 1 },
    });
  } catch {
    throw malformedMultipart('parameters');
  }
}

interface Form {
  readonly delimiter: Buffer;
  readonly body: BodyBytes;
  /** The header of a file that busboy has not reported yet. */
  header: PartHeader | undefined;
  /** Settles when the last reported file has been processed. */
  taken: Promise<void>;
  hasNamelessFile: boolean;
}

/**
 * The parts of a form that name a file, with headers that busboy reads. As their type it reports a part without a name
 * as a file, too. One file is processed before the next begins, so many small ones take no memory.
 * @throws 400 malformed_multipart
 */
async function* fileParts(form: Form): AsyncGenerator<Uint8Array> {
  const { body, delimiter } = form;
  await body.skip(delimiter);
  for (let parts = 0; ; parts++) {
    yield delimiter;
    if (form.header) throw malformedMultipart('disposition');
    await form.taken;
    const following = await body.text(2);
    if (following === '--') break;
    if (following !== '\r\n') throw malformedMultipart('delimiter');
    if (parts === partsMax) throw malformedMultipart('parts');
    const header = readPartHeader(await body.header(delimiter));
    if (!header) throw malformedMultipart('header');
    form.hasNamelessFile ||= !header.namesFile && header.fieldName === 'files';
    if (!header.namesFile) {
      await body.skip(delimiter);
      continue;
    }
    form.header = header;
    const lines = ['', `Content-Disposition: ${header.disposition}`, 'Content-Type: application/octet-stream', '', ''];
    yield Buffer.from(lines.join('\r\n'), 'latin1');
    yield* body.until(delimiter);
  }
  yield Buffer.from('--\r\n');
}

/** The header of a part, with what busboy does not report. */
interface PartHeader {
  /** The Content-Disposition in a form that busboy reads, one character per byte. */
  readonly disposition: string;
  /** The name of the form field, one character per byte. */
  readonly fieldName: string;
  /** Whether the part has a file name, which may be empty. */
  readonly namesFile: boolean;
  /** Whether the name is in `filename*`, which has an encoding of its own. */
  readonly isEncoded: boolean;
  /** The Content-Type as sent. */
  readonly declaredType: string | undefined;
}

/** @param text the lines of a header, one character per byte @returns undefined for a malformed header */
function readPartHeader(text: string): PartHeader | undefined {
  const values = new Map<string, string>();
  // A line that begins with a blank continues the line before it.
  for (const line of text.replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1);
    if (colon < 1 || !token.test(name) || /[\r\n]/.test(value)) return undefined;
    if (!values.has(name)) values.set(name, value.trim());
  }
  // Browsers send the control characters of a file name as they are.
  const disposition = readParameters((values.get('content-disposition') ?? '').replaceAll(controlCharacters, ''));
  if (!disposition) return undefined;
  const { parameters } = disposition;
  return {
    disposition: writtenDisposition(disposition),
    fieldName: parameters.get('name') ?? '',
    namesFile: parameters.has('filename') || parameters.has('filename*'),
    isEncoded: parameters.has('filename*'),
    declaredType: values.get('content-type'),
  };
}

/** RFC 9110, 5.6.2 */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** busboy skips a part with an empty parameter, or with a bare value that is no token. */
function writtenDisposition({ value, parameters }: ParameterizedValue): string {
  const written = ['name', 'filename', 'filename*'].flatMap((name) => {
    const text = parameters.get(name);
    if (text === undefined) return [];
    return name.endsWith('*') ? `; ${name}=${text}` : `; ${name}="${text.replaceAll(/["\\]/g, '\\$&')}"`;
  });
  return value + written.join('');
}
