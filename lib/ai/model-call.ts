import { ModelError } from './engine.ts';

/** Time that a model may be silent, before its first token and between two tokens (lib/spec/decisions.md section 7). */
export const stallMilliseconds = 30_000;

/** The maximum wait after a complete reply for later events, such as the count of tokens. */
const afterEndMilliseconds = 2_000;

/**
 * One call of a model. It ends when the caller ends it, or when the model is silent for too long. The user of a call must
 * always end it: a loop that is left early leaves the connection open, and its tokens are billed.
 */
export class ModelCall {
  readonly #caller: AbortSignal;
  readonly #controller = new AbortController();
  readonly #stall: number;
  #timer: NodeJS.Timeout | undefined;
  #stalled = false;
  #complete = false;

  constructor(caller: AbortSignal, stall: number) {
    this.#caller = caller;
    this.#stall = stall;
    if (caller.aborted) this.#controller.abort();
    else caller.addEventListener('abort', this.#abort, { once: true });
    this.progress();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the reply has had its end mark: what fails afterwards no longer matters. */
  get isComplete(): boolean {
    return this.#complete;
  }

  /** Records that the model has sent something. After its end mark that extends no timeout. */
  progress(): void {
    if (!this.#complete) this.#wait(this.#stall);
  }

  complete(): void {
    if (this.#complete) return;
    this.#complete = true;
    this.#wait(Math.min(afterEndMilliseconds, this.#stall));
  }

  /** While we wait ourselves, before another try. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }

  /** The meaning of a failure of the call. */
  failure(error: unknown, otherwise: (error: unknown) => ModelError): ModelError {
    if (this.#caller.aborted) return new ModelError('aborted', 'The reply is no longer wanted.');
    if (this.#stalled) return new ModelError('timeout', `The model was silent for ${this.#stall} ms.`);
    return error instanceof ModelError ? error : otherwise(error);
  }

  #abort = (): void => this.#controller.abort();

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#stalled = true;
      this.#controller.abort();
    }, milliseconds);
  }
}
