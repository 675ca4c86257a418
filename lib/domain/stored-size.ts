/** The maximum stored size of a record. DynamoDB allows 400 KB for an item (lib/spec/decisions.md section 1). */
export const recordBytesMax = 350 * 1_024;

/** Approximates DynamoDB's size of a value: names and strings in UTF-8, up to 21 bytes a number. */
export function storedBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 21;
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + storedBytes(item) + 1, 3);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).reduce(
      (sum, [name, item]) => sum + Buffer.byteLength(name) + storedBytes(item) + 1,
      3,
    );
  }
  return 1;
}
