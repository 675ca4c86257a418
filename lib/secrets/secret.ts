import { Unavailable } from '#lib/table/errors.ts';
import { readSecret } from './read-secret.ts';

/**
 * The minimum time between two reads that wrong values cause. A rotation must deploy the new value to its senders only
 * after this time; a deployment takes minutes.
 */
const rereadMilliseconds = 10_000;

interface Reading {
  readonly at: number;
  readonly values: Promise<readonly string[]>;
  hasFailed?: true;
}

/** A secret of AWS Secrets Manager, cached for the life of the container. It is reread when a value does not match. */
export class Secret {
  readonly #arn: string;
  readonly #read: typeof readSecret;
  #cached: Promise<readonly string[]> | undefined;
  #reread: Reading | undefined;

  constructor(arn: string, read = readSecret) {
    this.#arn = arn;
    this.#read = read;
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
   * @param ageMax the age at which the values of a read are read again, in milliseconds
   * @throws Unavailable; the cached values stay
   */
  reread(ageMax = rereadMilliseconds): Promise<readonly string[]> {
    const at = Date.now();
    const last = this.#reread;
    if (last && at - last.at < (last.hasFailed ? rereadMilliseconds : ageMax)) return last.values;
    const values = this.#readBoth().catch((cause) => {
      throw unavailable(cause);
    });
    const reading: Reading = { at, values };
    this.#reread = reading;
    values.then(
      () => {
        this.#cached = values;
      },
      () => {
        reading.hasFailed = true;
      },
    );
    return values;
  }

  /** Whether a value passes a test. If no cached one does, both are read again. @throws Unavailable */
  async some(test: (value: string) => boolean): Promise<boolean> {
    const passes = (values: readonly string[]) => values.map(test).includes(true);
    return passes(await this.values()) || passes(await this.reread());
  }

  async #readCurrent(): Promise<readonly string[]> {
    const current = await this.#read(this.#arn, 'AWSCURRENT');
    if (current === undefined) throw new Error('The secret has no current value.');
    return [current];
  }

  async #readBoth(): Promise<readonly string[]> {
    const [current, previous] = await Promise.all([this.#readCurrent(), this.#read(this.#arn, 'AWSPREVIOUS')]);
    return previous === undefined ? current : [...current, previous];
  }
}

const unavailable = (cause: unknown): Unavailable => new Unavailable('A secret cannot be read.', { cause });
