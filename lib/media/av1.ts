/** Reads numbers of bits, the highest first (AV1 bitstream specification, 4.10). */
class BitReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws RangeError at the end */
  number(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0; left--, this.#at++) {
      const bit = (this.#bytes.readUInt8(this.#at >> 3) >> (7 - (this.#at & 7))) & 1;
      value = value * 2 + bit;
    }
    return value;
  }

  flag = (): boolean => this.number(1) === 1;

  /** Skips as many bits as there are zeros before the first one. */
  skipVariable(): void {
    let zeros = 0;
    while (!this.flag()) zeros++;
    this.number(Math.min(zeros, 32));
  }
}

const sequenceHeader = 1;

/** The pixels of the largest frame that AV1 data announces (5.5): a decoder takes memory for them. */
export function pixelsOfAv1(data: Buffer): number {
  let pixels = 0;
  for (let at = 0; at < data.length; ) {
    const header = data.readUInt8(at);
    at += header & 4 ? 2 : 1;
    let size = data.length - at;
    if (header & 2) {
      size = 0;
      for (let shift = 0, more = true; more && shift < 35; shift += 7, at++) {
        const byte = data.readUInt8(at);
        size += (byte & 127) * 2 ** shift;
        more = byte >= 128;
      }
    }
    if (((header >> 3) & 15) === sequenceHeader)
      pixels = Math.max(pixels, pixelsOfSequence(data.subarray(at, at + size)));
    at += size;
  }
  return pixels;
}

function pixelsOfSequence(header: Buffer): number {
  const bits = new BitReader(header);
  bits.number(4);
  const isReduced = bits.flag();
  if (isReduced) bits.number(5);
  else skipOperatingPoints(bits);
  const widthBits = bits.number(4) + 1;
  const heightBits = bits.number(4) + 1;
  return (bits.number(widthBits) + 1) * (bits.number(heightBits) + 1);
}

function skipOperatingPoints(bits: BitReader): void {
  let delayBits = 0;
  if (bits.flag()) {
    bits.number(64);
    if (bits.flag()) bits.skipVariable();
    if (bits.flag()) {
      delayBits = bits.number(5) + 1;
      bits.number(42);
    }
  }
  const hasDelays = bits.flag();
  for (let left = bits.number(5) + 1; left > 0; left--) {
    bits.number(12);
    // Levels above 7 have a tier.
    if (bits.number(5) > 7) bits.number(1);
    if (delayBits > 0 && bits.flag()) bits.number(2 * delayBits + 1);
    if (hasDelays && bits.flag()) bits.number(4);
  }
}
