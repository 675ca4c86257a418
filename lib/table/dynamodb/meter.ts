/** Cost of one request's calls, for the request's log line. */
export interface Meter {
  readonly calls: Record<string, number>;
  readUnits: number;
  writeUnits: number;
}

export const newMeter = (): Meter => ({ calls: {}, readUnits: 0, writeUnits: 0 });

interface Consumed {
  readonly CapacityUnits?: number | undefined;
}

const readOperations = new Set(['BatchGetItem', 'GetItem', 'Query', 'TransactGetItems']);

export function countCall(meter: Meter, operation: string, consumed: Consumed | readonly Consumed[] | undefined): void {
  meter.calls[operation] = (meter.calls[operation] ?? 0) + 1;
  const units = [consumed ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  if (readOperations.has(operation)) meter.readUnits += units;
  else meter.writeUnits += units;
}
