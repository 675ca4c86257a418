import { ModelError } from './engine.ts';

/**
 * The stall timeout: the maximum silence before the first token and between tokens (lib/spec/decisions.md section 7).
 */
export const stallMilliseconds = 30_000;

/** The maximum wait for later events after a complete reply, e.g. the token count. */
const afterEndMilliseconds = 2_000;

/**
 * One call of a model, with its stall timeout. Its user must always end it. Otherwise a loop that is left early leaves
 * the connection open, and its tokens are billed.
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

  /** True after the end mark of the reply. Later failures do not matter. */
  get isComplete(): boolean {
    return this.#complete;
  }

  /** Restarts the stall timeout. After the end mark it has no effect. */
  progress(): void {
    if (!this.#complete) this.#wait(this.#stall);
  }

  complete(): void {
    if (this.#complete) return;
    this.#complete = true;
    this.#wait(Math.min(afterEndMilliseconds, this.#stall));
  }

  /** Stops the timeout during the pause before a retry. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }

  /** Translates an error of the call. */
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
