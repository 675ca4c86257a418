interface PlannedFault<Fault> {
  readonly operation: string;
  readonly fault: Fault;
  readonly about: string;
  after: number;
  left: number;
}

export interface Plan {
  /** How often it happens. @default until the faults are ended */
  readonly times?: number | undefined;
  /** So many calls of the operation go well before it. @default 0 */
  readonly after?: number | undefined;
  /** Only calls that mention this, such as the id of a workspace. @default all */
  readonly about?: string | undefined;
}

/** The planned faults of an engine's calls. Of several that apply, the first one is used. */
export class PlannedFaults<Fault> {
  #planned: PlannedFault<Fault>[] = [];

  /** @param operation the name of one, or `any` */
  add(operation: string, fault: Fault, { times = Number.POSITIVE_INFINITY, after = 0, about = '' }: Plan): void {
    this.#planned.push({ operation, fault, about, after, left: times });
  }

  /** The fault of this call, if there is one. */
  next(operation: string, mentions: (about: string) => boolean): Fault | undefined {
    const planned = this.#planned.find((one) => {
      if (one.left === 0 || ![operation, 'any'].includes(one.operation) || !mentions(one.about)) return false;
      if (one.after === 0) return true;
      one.after--;
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
