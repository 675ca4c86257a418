/** A box of an ISO base media file (ISO/IEC 14496-12, 4.2). */
export interface Box {
  readonly type: string;
  readonly data: Buffer;
  /** The bytes of its type, within the file. */
  readonly name: Buffer;
}

/** More than any image has. A file of empty boxes would take seconds. */
const boxesMax = 10_000;

/**
 * Splits bytes into boxes. A box without a length would include all bytes after the file.
 * @throws RangeError for a box without a length, or with an end after the bytes
 */
export function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const isLong = short === 1;
    const header = isLong ? 16 : 8;
    const length = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    if (length < header || at + length > bytes.length) throw new RangeError('A box is cut off.');
    if (boxes.length === boxesMax) throw new RangeError('There are too many boxes.');
    const name = bytes.subarray(at + 4, at + 8);
    boxes.push({ type: name.toString('latin1'), data: bytes.subarray(at + header, at + length), name });
    at += length;
  }
  return boxes;
}

/** The content of the first box of a type. */
export const boxOf = (boxes: readonly Box[], type: string): Buffer | undefined =>
  boxes.find((box) => box.type === type)?.data;

/** Makes a box empty without moving what is behind it. */
export function blank({ data, name }: Box): void {
  name.write('free', 'latin1');
  data.fill(0);
}

/** Reads a full box from front to back: big-endian numbers of up to eight bytes. */
export class BoxReader {
  readonly #bytes: Buffer;
  #at = 0;
  readonly version: number;
  readonly flags: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.version = this.number(1);
    this.flags = this.number(3);
  }

  /** The bytes that were not read. */
  rest = (): Buffer => this.#bytes.subarray(this.#at);

  /** @throws RangeError at the end of the box */
  number(length: number): number {
    const from = this.#at;
    this.#at += length;
    if (length === 0) return 0;
    return length === 8 ? Number(this.#bytes.readBigUInt64BE(from)) : this.#bytes.readUIntBE(from, length);
  }
}
