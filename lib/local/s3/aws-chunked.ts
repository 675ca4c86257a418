import { badRequest } from './s3-error.ts';

const lineBytesMax = 16_384;

/**
 * Takes the framing off a body of `Content-Encoding: aws-chunked`, whose length and checksum follow it.
 * @param trailers is filled with the headers behind the last chunk
 * @throws S3Error when the framing is broken, or the body ends before its last chunk
 */
export async function* decodeChunks(body: AsyncIterable<Buffer>, trailers: Map<string, string>) {
  const source = new Source(body);
  for (;;) {
    const line = await source.line();
    const size = /^[0-9a-fA-F]{1,8}$/.test(line) ? Number.parseInt(line, 16) : Number.NaN;
    if (Number.isNaN(size)) throw incomplete();
    if (size === 0) break;
    yield* source.bytes(size);
    if ((await source.line()) !== '') throw incomplete();
  }
  for (let line = await source.line(); line !== ''; line = await source.line()) {
    const [name = '', ...value] = line.split(':');
    trailers.set(name.trim().toLowerCase(), value.join(':').trim());
  }
}

class Source {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Buffer>) {
    this.#pieces = body[Symbol.asyncIterator]();
  }

  /** Up to the next line end, without it. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\r\n');
      if (end !== -1) {
        const line = this.#rest.toString('latin1', 0, end);
        this.#rest = this.#rest.subarray(end + 2);
        return line;
      }
      if (this.#rest.length > lineBytesMax) throw incomplete();
      this.#rest = Buffer.concat([this.#rest, await this.#next()]);
    }
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#pieces.next();
    if (done) throw incomplete();
    return value;
  }
}

const incomplete = () => badRequest('IncompleteBody', 'The body is not framed as it says, or ends too early.');
