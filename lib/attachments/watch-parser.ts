import type { Busboy } from 'busboy';
import { controlReplacement, withControlCharacters } from './control-characters.ts';

/** The header of a part, with details that the parser does not report. */
export interface PartHeader {
  /** Its Content-Type as sent. The parser reports `text/plain` when it is missing. */
  readonly declaredType: string | undefined;
  /** Whether it has a file name, which may be empty. The parser treats a part with an empty one as a field. */
  readonly namesFile: boolean;
  /** Whether the part could be a file. If the parser cannot read such a header, the body is malformed. */
  readonly mayNameFile: boolean;
}

export interface ParserWatch {
  /** Called before the parser reports a part. */
  readonly onHeader: (header: PartHeader) => void;
  /** Called after the parser has reported or skipped the part. */
  readonly onPartDone: () => void;
  /** Called for a boundary with trailing characters or inside a header, which the parser would accept silently. */
  readonly onMisplacedBoundary: () => void;
}

type Header = Record<string, string[] | undefined>;
interface HeaderParser {
  cb(header: Header): void;
  push(chunk: Uint8Array, start: number, end: number): number;
}
type Found = (isMatch: boolean, data: Uint8Array | undefined, start: number, end: number, isSafe: boolean) => void;

/** Fields of busboy 1.6.0. */
interface Internals {
  /** The parser of a part's header, while the header arrives. */
  _hparser: HeaderParser | null;
  /** The search for boundaries. */
  readonly _bparser: { _cb: Found };
  /** Whether the form has ended. */
  readonly _complete: boolean;
}

/** Makes busboy report the malformed parts that it skips silently. */
export function watchParser(parser: Busboy, watch: ParserWatch): void {
  const internals = parser as unknown as Internals;
  watchHeaders(internals, watch);
  watchBoundaries(internals, watch);
}

/**
 * Gives every part that may be a file a binary type, so that the parser reports it as bytes even with an empty name.
 * Data after the end of the form is not parsed.
 */
function watchHeaders(internals: Internals, { onHeader, onPartDone }: ParserWatch): void {
  let current: HeaderParser | null = null;
  let watched: HeaderParser | undefined;
  const watchParts = (next: HeaderParser) => {
    watched = next;
    const report = next.cb;
    next.cb = (header) => {
      const disposition = header['content-disposition']?.[0] ?? '';
      const mayNameFile = /filename/i.test(disposition) || disposition.includes(controlReplacement);
      onHeader({ declaredType: header['content-type']?.[0], namesFile: hasFileName(disposition), mayNameFile });
      if (mayNameFile) header['content-type'] = ['application/octet-stream'];
      report(header);
      onPartDone();
    };
    next.push = withControlCharacters(next.push.bind(next), () => current !== null);
  };
  Object.defineProperty(internals, '_hparser', {
    get: () => current,
    set: (next: HeaderParser | null) => {
      current = internals._complete ? null : next;
      if (next && next !== watched) watchParts(next);
    },
  });
}

const hasFileName = (disposition: string): boolean =>
  withoutQuotedTexts(disposition)
    .split(';')
    .some((parameter) => ['filename', 'filename*'].includes(parameter.split('=', 1)[0]?.trim().toLowerCase() ?? ''));

/** A loop, because a regular expression would backtrack on unclosed quotes. */
function withoutQuotedTexts(text: string): string {
  let bare = '';
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (isQuoted && character === '\\') index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted) bare += character;
  }
  return bare;
}

const lineEnd = Buffer.from('\r\n');

/**
 * A line end must follow a boundary, or two dashes at the end of the form. In a part without a body, the line end before
 * the boundary also ends the header. The parser would miss that and attribute the next part to this one.
 */
function watchBoundaries(internals: Internals, { onMisplacedBoundary }: ParserWatch): void {
  const search = internals._bparser;
  const report = search._cb;
  let following: string | undefined;
  search._cb = (isMatch, data, start, end, isSafe) => {
    if (data && following !== undefined && !internals._complete) {
      following += Buffer.from(data.subarray(start, Math.min(end, start + 2 - following.length))).toString('latin1');
      if (!'\r\n'.startsWith(following) && !'--'.startsWith(following)) onMisplacedBoundary();
      if (following.length === 2) following = undefined;
    }
    if (!isMatch) return report(false, data, start, end, isSafe);
    if (following) onMisplacedBoundary();
    if (data) report(false, data, start, end, isSafe);
    if (internals._hparser) report(false, lineEnd, 0, lineEnd.length, false);
    if (internals._hparser) onMisplacedBoundary();
    report(true, undefined, 0, 0, true);
    following = '';
  };
}
