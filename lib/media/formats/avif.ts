import { type Box, BoxReader, boxesIn, boxOf } from './boxes.ts';
import type { PictureSize, ReadFormat } from './size.ts';

/** Boxes after the first one. */
const following = new Set(['meta', 'mdat', 'moov', 'free', 'skip', 'uuid']);

/** `avif`, a picture. */
const avifBrand = 0x61766966;
/** `avis`, a sequence. */
const avisBrand = 0x61766973;

/**
 * AVIF (https://aomediacodec.github.io/av1-avif): boxes until the last byte. The properties of the primary item contain
 * its size and the position of its data. The data must be within the file.
 */
export const readAvif: ReadFormat = (bytes) => {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const boxes = boxesIn(bytes);
  const [type, ...others] = boxes;
  if (!type || !isAvif(type.data) || others.some((other) => !following.has(other.type))) return undefined;
  // The box `meta` has a version before its parts.
  const parts = boxesIn(boxOf(boxes, 'meta')?.subarray(4) ?? Buffer.alloc(0));
  const primary = primaryItem(parts);
  if (primary === undefined || !isStored(parts, primary, bytes.length)) return undefined;
  return sizeOf(parts, primary);
};

/** Brands: the first, a version, then all that fit. The list is as long as its sender likes, so it is not copied. */
function isAvif(data: Buffer): boolean {
  for (let at = 0; at + 4 <= data.length; at += 4) {
    const brand = data.readUInt32BE(at);
    if (at !== 4 && (brand === avifBrand || brand === avisBrand)) return true;
  }
  return false;
}

function primaryItem(parts: readonly Box[]): number | undefined {
  const box = boxOf(parts, 'pitm');
  if (!box) return undefined;
  const reader = new BoxReader(box);
  return reader.number(reader.version === 0 ? 2 : 4);
}

/** Whether all pieces of an item lie within the file (ISO/IEC 14496-12, 8.11.3). */
function isStored(parts: readonly Box[], item: number, fileLength: number): boolean {
  const box = boxOf(parts, 'iloc');
  if (!box) return false;
  const reader = new BoxReader(box);
  const { version } = reader;
  const sizes = reader.number(2);
  const offsetLength = sizes >> 12;
  const lengthLength = (sizes >> 8) & 15;
  const baseLength = (sizes >> 4) & 15;
  const indexLength = version === 0 ? 0 : sizes & 15;
  for (let left = reader.number(version < 2 ? 2 : 4); left > 0; left--) {
    const id = reader.number(version < 2 ? 2 : 4);
    const isInFile = version === 0 || (reader.number(2) & 15) === 0;
    reader.number(2);
    const base = reader.number(baseLength);
    const count = reader.number(2);
    // A piece without bytes of its own is the whole file. Many would take minutes, because no byte would end them.
    if (count > 1 && indexLength + offsetLength + lengthLength === 0) return false;
    let isWithin = true;
    for (let piece = 0; piece < count; piece++) {
      reader.number(indexLength);
      const end = base + reader.number(offsetLength) + reader.number(lengthLength);
      if (isInFile && end > fileLength) isWithin = false;
    }
    if (id === item) return isWithin && count > 0;
  }
  return false;
}

/** The property `ispe` of an item (ISO/IEC 23008-12, 6.5.3), by the numbers of its properties (`ipma`). */
function sizeOf(parts: readonly Box[], item: number): PictureSize | undefined {
  const properties = boxesIn(boxOf(parts, 'iprp') ?? Buffer.alloc(0));
  const all = boxesIn(boxOf(properties, 'ipco') ?? Buffer.alloc(0));
  for (const { type, data } of properties) {
    if (type !== 'ipma') continue;
    const ofItem = numbersOf(new BoxReader(data), item).map((number) => all[number - 1]);
    const extent = ofItem.find((property) => property?.type === 'ispe');
    if (extent) return { width: extent.data.readUInt32BE(4), height: extent.data.readUInt32BE(8) };
  }
  return undefined;
}

function numbersOf(reader: BoxReader, item: number): number[] {
  const isWide = (reader.flags & 1) === 1;
  for (let left = reader.number(4); left > 0; left--) {
    const id = reader.number(reader.version === 0 ? 2 : 4);
    const numbers = Array.from({ length: reader.number(1) }, () =>
      isWide ? reader.number(2) & 0x7fff : reader.number(1) & 0x7f,
    );
    if (id === item) return numbers;
  }
  return [];
}
