import { type PartHeader, readPartHeader } from './part-header.ts';

export interface FilePartsWatch {
  /** Called for each part that could be a file, before its bytes are returned. */
  readonly onFilePart: (header: PartHeader) => void;
  /** Called for a body that is malformed, at most one time. */
  readonly onFault: (message: string) => void;
}

const partsMax = 1_000;
const headerBytesMax = 16 * 1024;
const lineEnd = Buffer.from('\r\n');
const headerEnd = Buffer.from('\r\n\r\n');

const faults = {
  boundary: 'A boundary of the multipart body is not at the end of its line, or is inside the header of a part.',
  header: 'The header of a part of the multipart body is malformed.',
  parts: `A multipart body may have at most ${partsMax} parts.`,
} as const;

/**
 * Checks the framing of a multipart body (RFC 2046, 5.1.1) in front of busboy, which would skip malformed parts
 * silently. It returns a body with the parts that could be files, and rewrites their headers. With the new type,
 * busboy reports even a part with an empty name as a file.
 */
export class FileParts {
  readonly #delimiter: Buffer;
  readonly #watch: FilePartsWatch;
  /** Bytes that no step has used: the line end before the first boundary, or the beginning of a delimiter. */
  #held: Buffer = lineEnd;
  #step: 'preamble' | 'boundary' | 'header' | 'body' | 'end' | 'fault' = 'preamble';
  /** Number of held bytes that belong to the header before. They may still begin a delimiter. */
  #ofHeader = 0;
  #parts = 0;
  #isFilePart = false;
  #output: Uint8Array[] = [];

  /** @param boundary as the Content-Type names it */
  constructor(boundary: string, watch: FilePartsWatch) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.#watch = watch;
  }

  /** True after the last boundary. Later bytes are dropped. */
  get isComplete(): boolean {
    return this.#step === 'end';
  }

  /** @returns the bytes to pass to busboy */
  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#output = [];
    this.#held = Buffer.concat([this.#held, chunk]);
    while (this.#advance());
    return this.#output;
  }

  /** @returns whether another step can be made with the bytes that are held */
  #advance(): boolean {
    switch (this.#step) {
      case 'preamble':
      case 'body':
        return this.#passBody();
      case 'boundary':
        return this.#passBoundary();
      case 'header':
        return this.#passHeader();
      default:
        this.#held = Buffer.alloc(0);
        return false;
    }
  }

  /** Passes bytes up to the next delimiter. Bytes that could begin one are held. */
  #passBody(): boolean {
    const found = this.#held.indexOf(this.#delimiter);
    const end = found === -1 ? Math.max(0, this.#held.length - this.#delimiter.length + 1) : found;
    const start = Math.min(this.#ofHeader, end);
    this.#ofHeader = found === -1 ? this.#ofHeader - start : 0;
    if (this.#isFilePart && end > start) this.#output.push(this.#held.subarray(start, end));
    this.#held = this.#held.subarray(found === -1 ? end : found + this.#delimiter.length);
    if (found === -1) return false;
    this.#step = 'boundary';
    return true;
  }

  /** A line end must follow a boundary, or two dashes at the end of the form. */
  #passBoundary(): boolean {
    if (this.#held.length < 2) return false;
    const following = this.#held.toString('latin1', 0, 2);
    if (following !== '\r\n' && following !== '--') return this.#fail(faults.boundary);
    this.#held = this.#held.subarray(2);
    if (following === '--') this.#output.push(this.#delimiter, Buffer.from('--\r\n'));
    this.#step = following === '--' ? 'end' : 'header';
    return true;
  }

  /** In a part without a body, the line end before the next boundary also ends the header. */
  #passHeader(): boolean {
    if (this.#held.subarray(0, 2).equals(lineEnd)) return this.#fail(faults.header);
    const end = this.#held.indexOf(headerEnd);
    const boundary = this.#held.indexOf(this.#delimiter);
    if (boundary !== -1 && (end === -1 || boundary < end + 2)) return this.#fail(faults.boundary);
    if (end > headerBytesMax || (end === -1 && this.#held.length > headerBytesMax)) return this.#fail(faults.header);
    if (end === -1) return false;
    const header = readPartHeader(this.#held.toString('latin1', 0, end));
    if (!header) return this.#fail(faults.header);
    if (++this.#parts > partsMax) return this.#fail(faults.parts);
    this.#isFilePart = header.mayNameFile;
    if (this.#isFilePart) this.#open(header);
    this.#held = this.#held.subarray(end + lineEnd.length);
    this.#ofHeader = lineEnd.length;
    this.#step = 'body';
    return true;
  }

  #open(header: PartHeader): void {
    this.#watch.onFilePart(header);
    const { disposition } = header;
    const lines = [`Content-Disposition: ${disposition}`, 'Content-Type: application/octet-stream', '', ''];
    this.#output.push(this.#delimiter, Buffer.from(`\r\n${lines.join('\r\n')}`, 'latin1'));
  }

  #fail(message: string): boolean {
    this.#step = 'fault';
    this.#watch.onFault(message);
    return true;
  }
}
