import type { Busboy } from 'busboy';

/** What a part says about itself, and what the parser alone does not tell. */
export interface PartHeader {
  /** Its Content-Type as sent; the parser would say `text/plain` when there is none. */
  readonly declaredType: string | undefined;
  /** Whether it names a file, though perhaps by an empty name; the parser takes such a part for a field. */
  readonly namesFile: boolean;
}

export interface ParserWatch {
  /** Is called before the parser tells of a part, if it does. */
  readonly see: (header: PartHeader) => void;
  /** Is called after that. */
  readonly done: () => void;
  /** A boundary goes on where it has to end; the parser would cut the part off there without a word. */
  readonly strangeBoundary: () => void;
}

type Header = Record<string, string[] | undefined>;
interface HeaderParser {
  cb(header: Header): void;
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
 * A part with an empty file name is made one that the parser hands over as bytes, not as text; what follows the end of
 * the form is kept from being read as parts.
 */
function watchHeaders(internals: Internals, { see, done }: ParserWatch): void {
  let current: HeaderParser | null = null;
  let watched: HeaderParser | undefined;
  const watchParts = (next: HeaderParser) => {
    watched = next;
    const tell = next.cb;
    next.cb = (header) => {
      const namesFile = hasFileName(header['content-disposition']?.[0] ?? '');
      see({ declaredType: header['content-type']?.[0], namesFile });
      if (namesFile) header['content-type'] = ['application/octet-stream'];
      tell(header);
      done();
    };
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

/** After a boundary comes the end of the line, or two dashes at the end of the form. */
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
    tell(isMatch, data, start, end, isSafe);
    if (isMatch) following = '';
  };
}
