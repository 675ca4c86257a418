/** A step of the history. Earlier steps have smaller numbers. */
export type Step = number;

/** An operation on a register, from the step before its request to the step after its answer. */
export interface Operation {
  readonly value: string;
  readonly start: Step;
  /** Infinite for an unacknowledged write, which may take effect at any later time, or never. */
  readonly end: Step;
}

interface Cluster {
  readonly value: string;
  readonly write: Operation;
  readonly reads: Operation[];
}

/** The steps that all operations of a value share, or that lie between its first end and its last start. */
interface Zone {
  readonly cluster: Cluster;
  readonly from: Step;
  readonly to: Step;
  /** The value is certainly current in the whole zone. */
  readonly isForward: boolean;
}

/**
 * A value that is written and read as a whole, each value at most once. In a linearizable history, each operation takes
 * effect at a moment between its start and its end. Each read then finds the last write before it. For values
 * that are written once, their zones decide this (Gibbons and Korach, "Testing shared memories").
 */
export class Register {
  readonly #name: string;
  readonly #clusters = new Map<string, Cluster>();
  readonly #strangeReads: Operation[] = [];
  readonly #absences: Omit<Operation, 'value'>[] = [];

  constructor(name: string, initialValue: string) {
    this.#name = name;
    this.write({ value: initialValue, start: -1, end: -1 });
  }

  /** @param write may be added after reads of its value */
  write(write: Operation): void {
    if (this.#clusters.has(write.value)) throw new Error(`${write.value} is written to ${this.#name} twice.`);
    this.#clusters.set(write.value, { value: write.value, write, reads: [] });
  }

  read(read: Operation): void {
    this.#strangeReads.push(read);
  }

  /** Records a read that has not found the record. A value that begins with `gone` stands for a removal. */
  absent(read: Omit<Operation, 'value'>): void {
    this.#absences.push(read);
  }

  /** The values that may have been current between two steps, judged by the writes alone. */
  possibleValues(from: Step, to: Step): string[] {
    const writes = [...this.#clusters.values()].map(({ write }) => write);
    const lastSettled = Math.max(...writes.filter(({ end }) => end < from).map(({ start }) => start));
    return writes.filter(({ start, end }) => start < to && end >= lastSettled).map(({ value }) => value);
  }

  /** @returns a sentence for each fault of the history */
  violations(): string[] {
    const faults: string[] = [];
    for (const read of this.#strangeReads) {
      const cluster = this.#clusters.get(read.value);
      if (!cluster) faults.push(`${this.#name}: "${read.value}" was read (${shown(read)}) and never written.`);
      else if (read.end < cluster.write.start)
        faults.push(`${this.#name}: ${described(cluster)} was read before: ${shown(read)}.`);
      else cluster.reads.push(read);
    }
    this.#strangeReads.length = 0;
    return [...faults, ...this.#conflicts(), ...this.#falseAbsences()];
  }

  /** A record that was written before a read is there, unless a removal may have come in between. */
  *#falseAbsences(): Generator<string> {
    const clusters = [...this.#clusters.values()];
    const removals = clusters.map(({ write }) => write).filter(isRemoval);
    for (const read of this.#absences) {
      const last = clusters.filter(({ write }) => write.end < read.start && !isRemoval(write)).at(-1);
      if (!last || removals.some(({ start, end }) => start < read.end && end > last.write.start)) continue;
      yield `${this.#name}: ${described(last)} was not found (${shown(read)}).`;
    }
  }

  #conflicts(): string[] {
    const zones = [...this.#clusters.values()].flatMap(zoneOf).sort((a, b) => a.from - b.from);
    const forward = zones.filter(({ isForward }) => isForward);
    const faults = forward.slice(1).flatMap((zone, index) => {
      const before = latest(forward.slice(0, index + 1));
      return before && before.to > zone.from
        ? [
            `${this.#name}: ${described(before.cluster)} and ${described(zone.cluster)} were both current at ${zone.from}.`,
          ]
        : [];
    });
    for (const zone of zones.filter(({ isForward }) => !isForward)) {
      const around = forward.find(({ from, to }) => from < zone.from && zone.to < to);
      if (around)
        faults.push(
          `${this.#name}: ${described(zone.cluster)} came and went while ${described(around.cluster)} was current.`,
        );
    }
    return faults;
  }
}

const isRemoval = ({ value }: Operation): boolean => value.startsWith('gone');

function zoneOf(cluster: Cluster): Zone[] {
  const { write, reads } = cluster;
  // An unacknowledged write that was never read may not have happened.
  if (reads.length === 0 && write.end === Number.POSITIVE_INFINITY) return [];
  const all = [write, ...reads];
  const firstEnd = Math.min(...all.map(({ end }) => end));
  const lastStart = Math.max(...all.map(({ start }) => start));
  const isForward = firstEnd < lastStart;
  return [{ cluster, isForward, from: Math.min(firstEnd, lastStart), to: Math.max(firstEnd, lastStart) }];
}

const latest = (zones: readonly Zone[]): Zone | undefined =>
  zones.reduce<Zone | undefined>((last, zone) => (last && last.to >= zone.to ? last : zone), undefined);

const shown = ({ start, end }: Omit<Operation, 'value'>): string => `${start} to ${end}`;

const described = ({ value, write, reads }: Cluster): string => {
  const first = reads.toSorted((a, b) => a.end - b.end)[0];
  const last = reads.toSorted((a, b) => b.start - a.start)[0];
  const seen = first && last ? `, first read ${shown(first)}, last read ${shown(last)}` : ', never read';
  return `"${value}" (written ${shown(write)}${seen})`;
};
