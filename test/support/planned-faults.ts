interface PlannedFault<Fault> {
  readonly operation: string;
  readonly fault: Fault;
  readonly about: string;
  after: number;
  left: number;
}

export interface Plan {
  /** The number of occurrences. @default until the faults are ended */
  readonly times?: number | undefined;
  /** The number of successful calls of the operation before it. @default 0 */
  readonly after?: number | undefined;
  /** Only calls that contain this text, such as the id of a workspace. @default all */
  readonly about?: string | undefined;
}

/** The planned faults of an engine's calls. If several match, the first one is used. */
export class PlannedFaults<Fault> {
  #planned: PlannedFault<Fault>[] = [];

  /** @param operation its name, or `any` */
  add(operation: string, fault: Fault, { times = Number.POSITIVE_INFINITY, after = 0, about = '' }: Plan): void {
    this.#planned.push({ operation, fault, about, after, left: times });
  }

  /** The fault of this call, if any. */
  next(operation: string, mentions: (about: string) => boolean): Fault | undefined {
    const planned = this.#planned.find((candidate) => {
      if (candidate.left === 0 || ![operation, 'any'].includes(candidate.operation) || !mentions(candidate.about))
        return false;
      if (candidate.after === 0) return true;
      candidate.after--;
      return false;
    });
    if (!planned) return undefined;
    planned.left--;
    return planned.fault;
  }

  end(): void {
    this.#planned = [];
  }
}
