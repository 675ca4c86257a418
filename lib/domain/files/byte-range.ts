/** Bytes from `start` (inclusive) to `end` (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header (RFC 9110, 14.2): `bytes=0-9`, `bytes=10-` or the last bytes `bytes=-10`.
 * @returns undefined for the whole file: no range, several ranges, or a malformed one
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && BigInt(last) < BigInt(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : 'outside';
}
