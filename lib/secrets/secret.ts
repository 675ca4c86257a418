import { Unavailable } from '#lib/table/errors.ts';
import { readSecret } from './read-secret.ts';

/**
 * The least time between two readings that wrong values can cause. A rotation must give the new value to those who send
 * it only after this time; the deployment in between takes minutes.
 */
const rereadMilliseconds = 10_000;

/** A secret of AWS Secrets Manager, kept for the life of the container and read again when a value does not fit. */
export class Secret {
  readonly #arn: string;
  readonly #rereadMilliseconds: number;
  #known: Promise<readonly string[]> | undefined;
  #reread: { readonly at: number; readonly values: Promise<readonly string[]> } | undefined;

  /** @param options.rereadMilliseconds 10,000 by default */
  constructor(arn: string, options: { readonly rereadMilliseconds?: number } = {}) {
    this.#arn = arn;
    this.#rereadMilliseconds = options.rereadMilliseconds ?? rereadMilliseconds;
  }

  /**
   * The values as they were last read, the current one first. Only `reread` reads the value before it, so that a cold
   * start waits for one call.
   * @throws Unavailable when the secret was never read and cannot be read within two seconds
   */
  values(): Promise<readonly string[]> {
    this.#known ??= this.#readCurrent().catch((cause) => {
      this.#known = undefined;
      throw unavailable(cause);
    });
    return this.#known;
  }

  /**
   * Reads the current value and the one before it (AWSCURRENT, AWSPREVIOUS). Callers within ten seconds share one
   * reading, so that guesses cost one a container in that time.
   * @throws Unavailable; what was known before stays known
   */
  reread(): Promise<readonly string[]> {
    const now = Date.now();
    if (this.#reread && now - this.#reread.at < this.#rereadMilliseconds) return this.#reread.values;
    const values = this.#readBoth().catch((cause) => {
      throw unavailable(cause);
    });
    this.#reread = { at: now, values };
    values.then(
      () => {
        this.#known = values;
      },
      () => undefined,
    );
    return values;
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
