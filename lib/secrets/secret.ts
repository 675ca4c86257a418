import { Unavailable } from '#lib/table/errors.ts';
import { readSecret } from './read-secret.ts';

/**
 * The minimum time between two reads that wrong values cause. A rotation must deploy the new value to its senders only
 * after this time; a deployment takes minutes.
 */
const rereadMilliseconds = 10_000;

/** The maximum age of the values for signatures that others check. */
const recentMilliseconds = 300_000;

/** A secret of AWS Secrets Manager, cached for the life of the container. It is reread when a value does not match. */
export class Secret {
  readonly #arn: string;
  #cached: Promise<readonly string[]> | undefined;
  #recent: { readonly at: number; readonly values: readonly string[] } | undefined;
  #reread: { readonly at: number; readonly values: Promise<readonly string[]> } | undefined;

  constructor(arn: string) {
    this.#arn = arn;
  }

  /**
   * The cached values, the current one first. Only `reread` reads the previous value, so that a cold start waits for one
   * call.
   * @throws Unavailable when no value is cached and none can be read within two seconds
   */
  values(): Promise<readonly string[]> {
    this.#cached ??= this.#readCurrent().catch((cause) => {
      this.#cached = undefined;
      throw unavailable(cause);
    });
    return this.#cached;
  }

  /**
   * Reads the current and the previous value (AWSCURRENT, AWSPREVIOUS). Callers within ten seconds share one read, so
   * that guessed values cannot cause more.
   * @throws Unavailable; the cached values stay
   */
  reread(): Promise<readonly string[]> {
    const now = Date.now();
    if (this.#reread && now - this.#reread.at < rereadMilliseconds) return this.#reread.values;
    const values = this.#readBoth().catch((cause) => {
      throw unavailable(cause);
    });
    this.#reread = { at: now, values };
    values.then(
      () => {
        this.#cached = values;
      },
      () => undefined,
    );
    return values;
  }

  /** The current and the previous value, at most five minutes old. @throws Unavailable */
  async recent(): Promise<readonly string[]> {
    const at = Date.now();
    if (!this.#recent || at - this.#recent.at > recentMilliseconds) {
      this.#recent = { at, values: await this.reread() };
    }
    return this.#recent.values;
  }

  /**
   * Whether a value passes a test. If no cached one does, both are read again.
   * @throws Unavailable
   */
  async some(test: (value: string) => boolean): Promise<boolean> {
    const passes = (values: readonly string[]) => values.map(test).includes(true);
    return passes(await this.values()) || passes(await this.reread());
  }

  async #readCurrent(): Promise<readonly string[]> {
    const current = await readSecret(this.#arn, 'AWSCURRENT');
    if (current === undefined) throw new Error('The secret has no current value.');
    return [current];
  }

  async #readBoth(): Promise<readonly string[]> {
    const [current, previous] = await Promise.all([this.#readCurrent(), readSecret(this.#arn, 'AWSPREVIOUS')]);
    return previous === undefined ? current : [...current, previous];
  }
}

const unavailable = (cause: unknown): Unavailable => new Unavailable('A secret cannot be read.', { cause });
