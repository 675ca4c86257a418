import { type Meter, newMeter } from '#lib/table/dynamodb/client.ts';

/** Number of meters that are summed at each read, because calls of their requests may still be in flight. */
const liveMetersMax = 100;

/** Cost of requests, as `/_local/stats` answers it. */
export interface Costs {
  readonly dynamodb: Meter;
  readonly s3: { readonly calls: Readonly<Record<string, number>> };
}

/** An engine that counts its calls. */
export interface CallCounter {
  readonly calls: () => Readonly<Record<string, number>>;
  readonly resetCalls: () => void;
}

/** Sums the cost of requests since the start or the last reset. */
export class Stats {
  #settled = newMeter();
  #live: Meter[] = [];
  readonly #s3: CallCounter | undefined;

  /** @param s3 counts the calls of the embedded S3 itself */
  constructor(s3?: CallCounter) {
    this.#s3 = s3;
  }

  /** Adds a meter. A read of the request may finish after its answer, so the meter may still change. */
  count(meter: Meter): void {
    this.#live.push(meter);
    if (this.#live.length > liveMetersMax) this.#settled = sumOf([this.#settled, ...this.#live.splice(0, 1)]);
  }

  read = (): Costs => ({ dynamodb: sumOf([this.#settled, ...this.#live]), s3: { calls: this.#s3?.calls() ?? {} } });

  reset = (): void => {
    this.#settled = newMeter();
    this.#live = [];
    this.#s3?.resetCalls();
  };
}

function sumOf(meters: readonly Meter[]): Meter {
  const sum = newMeter();
  for (const { calls, readUnits, writeUnits } of meters) {
    for (const [operation, count] of Object.entries(calls)) sum.calls[operation] = (sum.calls[operation] ?? 0) + count;
    sum.readUnits += readUnits;
    sum.writeUnits += writeUnits;
  }
  return sum;
}
