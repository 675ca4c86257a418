import type { Busboy } from 'busboy';
import { controlStandIn, withControlCharacters } from './control-characters.ts';

/** What a part says about itself, and what the parser alone does not tell. */
export interface PartHeader {
  /** Its Content-Type as sent; the parser would say `text/plain` when there is none. */
  readonly declaredType: string | undefined;
  /** Whether it names a file, though perhaps by an empty name; the parser takes such a part for a field. */
  readonly namesFile: boolean;
  /** Whether it has to be understood, since it could be that of a file; the parser passes over what it cannot read. */
  readonly mayNameFile: boolean;
}

export interface ParserWatch {
  /** Is called before the parser tells of a part, if it does. */
  readonly see: (header: PartHeader) => void;
  /** Is called after that. */
  readonly done: () => void;
  /** A boundary goes on where it has to end, or stands in a header; the parser would go on there without a word. */
  readonly strangeBoundary: () => void;
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
  /** What looks for boundaries. */
  readonly _bparser: { _cb: Found };
  /** Whether the form has ended. */
  readonly _complete: boolean;
}

/** Makes busboy tell what it would pass over in silence. */
export function watchParser(parser: Busboy, watch: ParserWatch): void {
  const internals = parser as unknown as Internals;
  watchHeaders(internals, watch);
  watchBoundaries(internals, watch);
}

/**
 * A part with an empty file name is made one that the parser hands over as bytes, not as text, as is every part that
 * may name a file; what follows the end of the form is kept from being read as parts.
 */
function watchHeaders(internals: Internals, { see, done }: ParserWatch): void {
  let current: HeaderParser | null = null;
  let watched: HeaderParser | undefined;
  const watchParts = (next: HeaderParser) => {
    watched = next;
    const tell = next.cb;
    next.cb = (header) => {
      const disposition = header['content-disposition']?.[0] ?? '';
      const mayNameFile = /filename/i.test(disposition) || disposition.includes(controlStandIn);
      see({ declaredType: header['content-type']?.[0], namesFile: hasFileName(disposition), mayNameFile });
      if (mayNameFile) header['content-type'] = ['application/octet-stream'];
      tell(header);
      done();
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

/** By hand, because a pattern would look for the end of an open quote again and again. */
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
 * After a boundary comes the end of the line, or two dashes at the end of the form. The line end before it is also the
 * empty line that ends the header of a part without a body; the parser would take what follows for this part's.
 */
function watchBoundaries(internals: Internals, { strangeBoundary }: ParserWatch): void {
  const search = internals._bparser;
  const tell = search._cb;
  let following: string | undefined;
  search._cb = (isMatch, data, start, end, isSafe) => {
    if (data && following !== undefined && !internals._complete) {
      following += Buffer.from(data.subarray(start, Math.min(end, start + 2 - following.length))).toString('latin1');
      if (!'\r\n'.startsWith(following) && !'--'.startsWith(following)) strangeBoundary();
      if (following.length === 2) following = undefined;
    }
    if (!isMatch) return tell(false, data, start, end, isSafe);
    if (following) strangeBoundary();
    if (data) tell(false, data, start, end, isSafe);
    if (internals._hparser) tell(false, lineEnd, 0, lineEnd.length, false);
    if (internals._hparser) strangeBoundary();
    tell(true, undefined, 0, 0, true);
    following = '';
  };
}
