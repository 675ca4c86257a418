/** A dependency is throttled, down or too slow; the service answers 503 (lib/spec/decisions.md section 1). */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** A write kept meeting others of the same items until there was no time left. */
export class Contended extends Unavailable {
  /** Which writes of the transaction it was. */
  readonly positions: readonly number[];

  constructor(positions: readonly number[], options?: ErrorOptions) {
    super('The transaction kept meeting others.', options);
    this.positions = positions;
  }
}

/** The condition of a write did not hold; `item` is what the table holds instead, when it holds anything. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  readonly item: Record<string, unknown> | undefined;
  /** Which write of a transaction it was. */
  readonly position: number;
  /** The write was tried before without a reply, so that it may have been applied. */
  readonly repeated: boolean;

  constructor(item?: Record<string, unknown>, position = 0, repeated = false) {
    super('The condition of the write did not hold.');
    this.item = item;
    this.position = position;
    this.repeated = repeated;
  }
}

/** The table refused the request itself: a document path whose parent is missing, an item over 400 KB, or our own bug. */
export class RefusedByTable extends Error {
  override readonly name = 'RefusedByTable';
}
