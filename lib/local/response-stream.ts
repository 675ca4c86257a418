import { Writable } from 'node:stream';

/** The prelude of a streamed answer, as the function wrote it. */
export interface AnswerHead {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** Takes the beginning of an answer and returns where its body goes. */
export type OpenAnswer = (head: AnswerHead) => Writable;

/** A head that travels with the first byte of the body and never without one. */
const withoutHead: AnswerHead = { statusCode: 200, headers: { 'content-type': 'application/octet-stream' } };

/**
 * The stream that the runtime hands to a function. As on Lambda the head goes out with the first write, also an empty
 * one, and is lost when there is none; and a function does not learn that its client has left: what it writes then is
 * dropped, as fast as it comes.
 */
export class ResponseStream extends Writable {
  head: AnswerHead = withoutHead;
  readonly #open: OpenAnswer;
  #target: Writable | undefined;

  constructor(open: OpenAnswer) {
    super({ decodeStrings: true });
    this.#open = open;
  }

  /** Whether the client has been sent anything. */
  get isOpen(): boolean {
    return this.#target !== undefined;
  }

  setContentType(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    try {
      this.#target ??= this.#open(this.head);
      const target = this.#target;
      if (target.destroyed || target.write(chunk)) done();
      else afterDrain(target, done);
    } catch (error) {
      done(error as Error);
    }
  }

  override _final(done: () => void): void {
    this.#target ??= this.#open(withoutHead);
    if (!this.#target.destroyed) this.#target.end();
    done();
  }

  /** A client must not take a part for the whole. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error) this.#target?.destroy();
    done(error);
  }
}

function afterDrain(target: Writable, done: () => void): void {
  const goOn = () => {
    target.off('drain', goOn).off('close', goOn);
    done();
  };
  target.on('drain', goOn).on('close', goOn);
}
