import { Writable } from 'node:stream';

/** The prelude of a streamed answer, as the function wrote it. */
export interface AnswerHead {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** Sends the head of an answer. @returns the stream of its body */
export type OpenAnswer = (head: AnswerHead) => Writable;

/** Lambda's head for a function without one. */
const defaultHead: AnswerHead = { statusCode: 200, headers: { 'content-type': 'application/octet-stream' } };

/**
 * A function's stream for its answer. As on Lambda, the first write sends the head, even an empty write; without a
 * write the head is lost. The function does not notice that its client has disconnected; later writes are dropped.
 */
export class ResponseStream extends Writable {
  head: AnswerHead = defaultHead;
  readonly #open: OpenAnswer;
  #target: Writable | undefined;

  constructor(open: OpenAnswer) {
    super({ decodeStrings: true });
    this.#open = open;
  }

  /** True when the client has got the head. */
  get isOpen(): boolean {
    return this.#target !== undefined;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    try {
      this.#target ??= this.#open(this.head);
      const target = this.#target;
      if (target.destroyed || target.write(chunk)) done();
      else callAfterDrain(target, done);
    } catch (error) {
      done(error as Error);
    }
  }

  override _final(done: () => void): void {
    this.#target ??= this.#open(defaultHead);
    if (!this.#target.destroyed) this.#target.end();
    done();
  }

  /** Disconnects the client after an error, so that it does not accept an incomplete answer. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error) this.#target?.destroy();
    done(error);
  }
}

function callAfterDrain(target: Writable, done: () => void): void {
  const resume = () => {
    target.off('drain', resume).off('close', resume);
    done();
  };
  target.on('drain', resume).on('close', resume);
}
