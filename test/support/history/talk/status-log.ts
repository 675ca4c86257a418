import type { Operation, Step } from '../register.ts';

interface StatusWrite extends Operation {
  /** A customer's message opens the conversation only if it is resolved or snoozed. */
  readonly isMessage: boolean;
}

/** The status of a conversation, whose values repeat. */
export class StatusLog {
  readonly #id: string;
  readonly #writes: StatusWrite[] = [{ value: 'open', start: -1, end: -1, isMessage: false }];
  readonly #reads: Operation[] = [];

  constructor(id: string) {
    this.#id = id;
  }

  changed(value: string, start: Step, end: Step): void {
    this.#writes.push({ value, start, end, isMessage: false });
  }

  customerWrote(start: Step, end: Step): void {
    this.#writes.push({ value: 'open', start, end, isMessage: true });
  }

  saw(value: string, start: Step, end: Step): void {
    this.#reads.push({ value, start, end });
  }

  /** A value is possible if its write may precede the read, unless another write certainly came between them. */
  *violations(): Generator<string> {
    for (const { value, start, end } of this.#reads) {
      const isRight = this.#writes.some(
        (write) => write.value === value && write.start < end && !this.#isReplaced(write, start),
      );
      if (!isRight)
        yield `${this.#id}: The status "${value}" was read (${start} to ${end}) and cannot have been current.`;
    }
  }

  #isReplaced({ value, end }: StatusWrite, by: Step): boolean {
    const isClosed = value === 'resolved' || value === 'snoozed';
    return this.#writes.some(
      (other) => other.value !== value && end < other.start && other.end < by && (isClosed || !other.isMessage),
    );
  }
}
