import type { Readable } from 'node:stream';
import { malformedMultipart } from './refusals.ts';

const headerBytesMax = 16 * 1024;
const lineEnd = Buffer.from('\r\n');
const headerEnd = Buffer.from('\r\n\r\n');

/** The bytes of a body, with as much of what follows as a step needs. */
export class BodyBytes {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #bytesMax: number;
  #length = 0;
  /** The line end belongs to the first boundary. */
  #held: Buffer = lineEnd;
  #isCut = false;
  isTooLarge = false;

  constructor(bytes: Readable, bytesMax: number) {
    this.#chunks = bytes.iterator({ destroyOnReturn: false });
    this.#bytesMax = bytesMax;
  }

  /** The bytes up to a delimiter, which is skipped. */
  async *until(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const found = this.#held.indexOf(delimiter);
      // The last bytes could begin a delimiter.
      const end = found === -1 ? Math.max(0, this.#held.length - delimiter.length + 1) : found;
      if (end > 0) yield this.#held.subarray(0, end);
      this.#held = this.#held.subarray(found === -1 ? end : end + delimiter.length);
      if (found !== -1) return;
      await this.#more();
    }
  }

  async skip(delimiter: Buffer): Promise<void> {
    for await (const _ of this.until(delimiter));
  }

  /** The next bytes, one character per byte. */
  async text(length: number): Promise<string> {
    while (this.#held.length < length) await this.#more();
    const text = this.#held.toString('latin1', 0, length);
    this.#held = this.#held.subarray(length);
    return text;
  }

  /** The header of a part. If the part has no body, the line end before the next boundary also ends the header. */
  async header(delimiter: Buffer): Promise<string> {
    while (!this.#held.includes(headerEnd)) {
      if (this.#held.length > headerBytesMax || this.#held.indexOf(lineEnd) === 0) break;
      await this.#more();
    }
    const end = this.#held.indexOf(headerEnd);
    if (end < 1 || end > headerBytesMax) throw malformedMultipart('header');
    if (this.#held.subarray(0, end + lineEnd.length).includes(delimiter)) throw malformedMultipart('delimiter');
    const text = await this.text(end);
    await this.text(lineEnd.length);
    while (this.#held.length < delimiter.length) await this.#more();
    if (this.#held.indexOf(delimiter) !== 0) await this.text(lineEnd.length);
    return text;
  }

  /** Reads the rest of the body, unless it is too large. @returns whether the connection held */
  async readAll(take: (chunk: Uint8Array) => void = () => undefined): Promise<boolean> {
    for (let chunk = await this.#next(); chunk; chunk = await this.#next()) take(chunk);
    return !this.#isCut;
  }

  /** @throws 400 malformed_multipart at the end of the body */
  async #more(): Promise<void> {
    const chunk = await this.#next();
    if (!chunk) throw malformedMultipart('end');
    this.#held = Buffer.concat([this.#held, chunk]);
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.isTooLarge || this.#isCut) return undefined;
    try {
      const { value, done } = await this.#chunks.next();
      if (done) return undefined;
      this.#length += value.length;
      this.isTooLarge = this.#length > this.#bytesMax;
      return this.isTooLarge ? undefined : value;
    } catch {
      // The client disconnected, possibly between the end of the form and the end of the body.
      this.#isCut = true;
      return undefined;
    }
  }
}
