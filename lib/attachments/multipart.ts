import type { Readable } from 'node:stream';
import { readParameters } from '#lib/domain/text/header-parameters.ts';
import type { IncomingBody } from '#lib/http/body.ts';
import { HttpError } from '#lib/http/errors.ts';
import { BodyBytes } from './body-bytes.ts';
import { boundaryLengthMax, malformedMultipart, partsMax } from './refusals.ts';

/** A file part. The body continues only after its bytes have been read to the end. */
export interface FilePart {
  /** The name of the form field, possibly empty. */
  readonly fieldName: string;
  /** The untrusted file name as sent, possibly empty. */
  readonly sentName: string;
  readonly declaredType: string | undefined;
  /** They end with an error if the body ends in the middle of the file. The reader then reports it. */
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
 * Reads a multipart body (RFC 7578) to its end, even after an error. README.md says why no library does it.
 * @param take called for one file part at a time; must read its bytes to the end, and not reject. Other parts are dropped.
 * @throws 400 malformed_multipart without a usable boundary
 */
export async function readMultipart(
  { contentType, bytes }: Pick<IncomingBody, 'contentType'> & { readonly bytes: Readable },
  bytesMax: number,
  take: (part: FilePart) => Promise<void>,
): Promise<MultipartEnd> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  const body = new BodyBytes(bytes, bytesMax);
  let hasNamelessFile = false;
  let fault: HttpError | undefined;
  try {
    for await (const { sentName, ...header } of partHeaders(body, delimiter)) {
      hasNamelessFile ||= sentName === undefined && header.fieldName === 'files';
      if (sentName === undefined) await body.skip(delimiter);
      else await take({ ...header, sentName, bytes: body.until(delimiter) });
    }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    fault = error;
  }
  const isWhole = await body.skipAll();
  return {
    isTooLarge: body.isTooLarge,
    fault: fault ?? (isWhole ? undefined : malformedMultipart('cut')),
    hasNamelessFile,
  };
}

function boundaryOf(contentType: string): string {
  const { parameters } = readParameters(contentType) ?? {};
  if (!parameters) throw malformedMultipart('parameters');
  const boundary = parameters.get('boundary') ?? '';
  if (boundary === '') throw malformedMultipart('noBoundary');
  if (boundary.length > boundaryLengthMax) throw malformedMultipart('longBoundary');
  return boundary;
}

interface PartHeader extends Omit<FilePart, 'sentName' | 'bytes'> {
  /** Undefined for a part that is no file. */
  readonly sentName: string | undefined;
}

/** The header of each part. Between two of them, the body of the part must be read. @throws 400 malformed_multipart */
async function* partHeaders(body: BodyBytes, delimiter: Buffer): AsyncGenerator<PartHeader> {
  await body.skip(delimiter);
  for (let parts = 0; ; parts++) {
    const following = await body.text(2);
    if (following === '--') return;
    if (following !== '\r\n') throw malformedMultipart('delimiter');
    if (parts === partsMax) throw malformedMultipart('parts');
    yield readHeader(await body.header(delimiter));
  }
}

/** @param text the lines of a header, one character per byte @throws 400 malformed_multipart */
function readHeader(text: string): PartHeader {
  const values = new Map<string, string>();
  // A line that begins with a blank continues the line before it.
  for (const line of text.replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1);
    if (colon < 1 || !token.test(name) || /[\r\n]/.test(value)) throw malformedMultipart('header');
    if (!values.has(name)) values.set(name, value.trim());
  }
  // Browsers send the control characters of a file name as they are.
  const disposition = readParameters((values.get('content-disposition') ?? '').replaceAll(controlCharacters, ''));
  if (!disposition) throw malformedMultipart('header');
  const { value, parameters } = disposition;
  const sentName = fileNameIn(parameters);
  if (sentName !== undefined && value !== 'form-data') throw malformedMultipart('disposition');
  return {
    fieldName: unescaped(textOf(parameters.get('name') ?? '')),
    sentName,
    declaredType: values.get('content-type'),
  };
}

/** RFC 9110, 5.6.2 */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** @param text one character per byte */
const textOf = (text: string): string => Buffer.from(text, 'latin1').toString();

/** Browsers write only these three in another way (WHATWG HTML, multipart form data). */
const unescaped = (name: string): string => name.replaceAll(/%(?:22|0A|0D)/g, decodeURIComponent);

/** A name with a charset has precedence (RFC 6266, 4.3). @throws 400 malformed_multipart */
function fileNameIn(parameters: ReadonlyMap<string, string>): string | undefined {
  const extended = parameters.get('filename*');
  const plain = parameters.get('filename');
  if (extended === undefined) return plain === undefined ? undefined : unescaped(textOf(plain));
  const [, charset, encoded = ''] = extendedValue.exec(extended) ?? [];
  const bytes = encoded.replaceAll(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  try {
    return new TextDecoder(charset ?? '').decode(Buffer.from(bytes, 'latin1'));
  } catch {
    throw malformedMultipart('disposition');
  }
}

/** Charset, language and percent-encoded text (RFC 8187, 3.2.1). */
const extendedValue = /^([^']+)'[^']*'((?:[\w!#$&+.^`|~-]|%[0-9a-f]{2})*)$/i;
