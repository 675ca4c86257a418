/** A dependency is throttled, down or too slow. The service answers 503 (lib/spec/decisions.md section 1). */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  /** Whether the call certainly changed nothing. Otherwise it may have changed something. */
  readonly isUndone: boolean;

  constructor(message: string, { isUndone = false, ...options }: ErrorOptions & { readonly isUndone?: boolean } = {}) {
    super(message, options);
    this.isUndone = isUndone;
  }
}

/** An import of the workspace holds the kind of the record. */
export class HeldByImport extends Unavailable {
  constructor() {
    super('An import of the workspace is running.');
  }
}

/** A transaction conflicted with others or was throttled. It has changed nothing, so it may be made and tried again. */
export class Contended extends Unavailable {
  /** The names of the writes that another request held; none if the table throttled it. */
  readonly writes: readonly string[];

  constructor(writes: readonly string[], options?: ErrorOptions) {
    super('The transaction kept conflicting with others.', { ...options, isUndone: true });
    this.writes = writes;
  }
}

/** The condition of a write failed. `item` is the stored item, if there is one. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  readonly item: Record<string, unknown> | undefined;
  /** The name of the write, if it is part of a transaction. */
  readonly write: string | undefined;

  constructor(item?: Record<string, unknown>, write?: string) {
    super('The condition of the write did not hold.');
    this.item = item;
    this.write = write;
  }
}
