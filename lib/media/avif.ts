import { pixelsOfAv1 } from './av1.ts';
import { type Box, BoxReader, blank, boxesIn, boxOf } from './boxes.ts';

/** Boxes after the first one. */
const following = new Set(['meta', 'mdat', 'moov', 'free', 'skip', 'uuid']);
/** What the box `meta` needs for its pictures. */
const metaParts = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iref', 'iprp', 'idat', 'grpl', 'dinf']);
/** Items that are pictures or are made of pictures. Others hold metadata, such as `Exif`. */
const pictureItems = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap', 'sato']);
/** Boxes and properties with texts, times and data of programs. */
const metadata = new Set(['udta', 'meta', 'uuid', 'free', 'skip', 'udes', 'altt', 'crtt', 'mdft']);

/** `avif`, a picture. */
const avifBrand = 0x61766966;
/** `avis`, a sequence. */
const avisBrand = 0x61766973;

/** More than any image has. */
const piecesMax = 10_000;
/** The data of all items together. Items may share their data, such as equal tiles. */
const itemBytesMax = 100 * 1_048_576;

export interface Avif {
  readonly width: number;
  readonly height: number;
  /** The pixels to decode, of all frames. */
  readonly pixels: number;
  /** The file, with everything blank that is not the picture. */
  readonly bytes: readonly Buffer[];
}

/**
 * AVIF (https://aomediacodec.github.io/av1-avif): boxes until the last byte. The properties of the primary item contain
 * its size and the position of its data. The data must be within the file. Metadata is made blank where it is, because
 * positions count from the beginning of the file.
 * @returns undefined for another format and for a broken file
 */
export function readAvif(sent: Buffer): Avif | undefined {
  if (sent.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const bytes = Buffer.from(sent);
  const boxes = boxesIn(bytes);
  const [type, ...others] = boxes;
  if (!type || !isAvif(type.data) || others.some((other) => !following.has(other.type))) return undefined;
  // The box `meta` has a version before its parts.
  const meta = boxesIn(boxOf(boxes, 'meta')?.subarray(4) ?? Buffer.alloc(0));
  const items = itemsIn(bytes, meta);
  const primary = primaryItem(meta);
  const picture = items?.find(({ id, isPicture }) => id === primary && isPicture);
  const size = picture && sizeOf(meta, picture.id);
  if (!items || !size || !areWithin(items, bytes.length)) return undefined;
  const pixels = Math.max(
    size.width * size.height,
    ...pixelsOfTracks(boxes),
    ...items.filter(({ type }) => type === 'av01').map(({ pieces }) => pixelsOfAv1(dataOf(bytes, pieces))),
  );
  clean(bytes, boxes, meta, items);
  return { ...size, pixels, bytes: [bytes] };
}

/** Brands: the first, a version, then all that fit. The list is as long as its sender likes, so it is not copied. */
function isAvif(data: Buffer): boolean {
  for (let at = 0; at + 4 <= data.length; at += 4) {
    const brand = data.readUInt32BE(at);
    if (at !== 4 && (brand === avifBrand || brand === avisBrand)) return true;
  }
  return false;
}

function primaryItem(meta: readonly Box[]): number | undefined {
  const box = boxOf(meta, 'pitm');
  if (!box) return undefined;
  const reader = new BoxReader(box);
  return reader.number(reader.version === 0 ? 2 : 4);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Item {
  readonly id: number;
  readonly type: string;
  readonly isPicture: boolean;
  /** The pieces of its data within the file. */
  readonly pieces: readonly Range[];
}

/** The items with their positions (ISO/IEC 14496-12, 8.11.3). @returns undefined for more pieces than images have */
function itemsIn(bytes: Buffer, meta: readonly Box[]): Item[] | undefined {
  const box = boxOf(meta, 'iloc');
  if (!box) return undefined;
  const types = typesIn(meta);
  const reader = new BoxReader(box);
  const { version } = reader;
  const sizes = reader.number(2);
  const [offsetLength = 0, lengthLength = 0, baseLength = 0, indexLength = 0] = [12, 8, 4, 0].map((shift) =>
    shift === 0 && version === 0 ? 0 : (sizes >> shift) & 15,
  );
  const items: Item[] = [];
  let left = piecesMax;
  for (let more = reader.number(version < 2 ? 2 : 4); more > 0; more--) {
    const id = reader.number(version < 2 ? 2 : 4);
    const source = sourceOf(bytes, meta, version === 0 ? 0 : reader.number(2) & 15);
    reader.number(2);
    const base = source.start + reader.number(baseLength);
    const count = reader.number(2);
    left -= 1 + count;
    if (left < 0) return undefined;
    const pieces = Array.from({ length: count }, () => {
      reader.number(indexLength);
      const start = base + reader.number(offsetLength);
      const length = reader.number(lengthLength);
      // A piece without a length ends with its source.
      return { start, end: length === 0 ? Math.max(start, source.end) : start + length };
    });
    const type = types.get(id) ?? '';
    items.push({ id, type, isPicture: pictureItems.has(type), pieces });
  }
  return items;
}

/** Where the positions of an item count from: the file, or the box `idat`. */
function sourceOf(bytes: Buffer, meta: readonly Box[], method: number): Range {
  const idat = method === 1 ? boxOf(meta, 'idat') : undefined;
  return idat ? rangeOf(bytes, idat) : { start: 0, end: bytes.length };
}

function rangeOf(bytes: Buffer, data: Buffer): Range {
  const start = data.byteOffset - bytes.byteOffset;
  return { start, end: start + data.length };
}

/** The boxes `infe`, each with its number, its type and its texts (8.11.6). */
function entriesIn(meta: readonly Box[]): { readonly id: number; readonly named: Buffer }[] {
  const box = boxOf(meta, 'iinf');
  if (!box) return [];
  const reader = new BoxReader(box);
  reader.number(reader.version === 0 ? 2 : 4);
  return boxesIn(reader.rest()).flatMap(({ type, data }) => {
    const entry = new BoxReader(data);
    if (type !== 'infe' || entry.version < 2) return [];
    const id = entry.number(entry.version === 2 ? 2 : 4);
    entry.number(2);
    return [{ id, named: entry.rest() }];
  });
}

const typesIn = (meta: readonly Box[]): Map<number, string> =>
  new Map(entriesIn(meta).map(({ id, named }) => [id, named.toString('latin1', 0, 4)]));

/** Whether each picture lies within the file, and is not larger than the file. */
function areWithin(items: readonly Item[], length: number): boolean {
  const areSound = items
    .filter(({ isPicture }) => isPicture)
    .every(
      (item) => item.pieces.length > 0 && item.pieces.every(({ end }) => end <= length) && bytesOf(item) <= length,
    );
  return areSound && items.reduce((sum, item) => sum + bytesOf(item), 0) <= itemBytesMax;
}

const bytesOf = ({ pieces }: Item): number => pieces.reduce((sum, { start, end }) => sum + end - start, 0);

/** The property `ispe` of an item (ISO/IEC 23008-12, 6.5.3), by the numbers of its properties (`ipma`). */
function sizeOf(meta: readonly Box[], item: number): { readonly width: number; readonly height: number } | undefined {
  const properties = boxesIn(boxOf(meta, 'iprp') ?? Buffer.alloc(0));
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

const dataOf = (bytes: Buffer, pieces: readonly Range[]): Buffer =>
  Buffer.concat(pieces.map(({ start, end }) => bytes.subarray(start, end)));

/** Each track of a sequence has the size of its frames, and their number. */
function pixelsOfTracks(boxes: readonly Box[]): number[] {
  return tracksIn(boxes).map((track) => {
    const table = ['mdia', 'minf', 'stbl'].reduce(
      (inside, type) => boxesIn(boxOf(inside, type) ?? Buffer.alloc(0)),
      track,
    );
    const [entry] = boxesIn(boxOf(table, 'stsd')?.subarray(8) ?? Buffer.alloc(0));
    const frames = boxOf(table, 'stsz')?.readUInt32BE(8) ?? 0;
    return entry ? entry.data.readUInt16BE(24) * entry.data.readUInt16BE(26) * frames : 0;
  });
}

const tracksIn = (boxes: readonly Box[]): Box[][] =>
  boxesIn(boxOf(boxes, 'moov') ?? Buffer.alloc(0))
    .filter(({ type }) => type === 'trak')
    .map(({ data }) => boxesIn(data));

/** Makes everything blank that is not the picture. */
function clean(bytes: Buffer, boxes: readonly Box[], meta: readonly Box[], items: readonly Item[]): void {
  const moov = boxOf(boxes, 'moov');
  const isOther = ({ isPicture }: Item) => !isPicture;
  const dropped = items.filter(isOther).flatMap(({ pieces }) => pieces);
  const stores = [...boxes.filter(({ type }) => type === 'mdat'), ...meta.filter(({ type }) => type === 'idat')];
  const kept = items.filter(({ isPicture }) => isPicture).flatMap(({ pieces }) => pieces);
  // The frames of a sequence lie between the items.
  erase(bytes, moov ? dropped : stores.map(({ data }) => rangeOf(bytes, data)), kept);
  for (const { named } of entriesIn(meta)) {
    if (!pictureItems.has(named.toString('latin1', 0, 4))) named.write('free', 'latin1');
    named.fill(0, 4);
  }
  const properties = boxesIn(boxOf(boxesIn(boxOf(meta, 'iprp') ?? Buffer.alloc(0)), 'ipco') ?? Buffer.alloc(0));
  const parts = [...properties, ...(moov ? boxesIn(moov) : []), ...tracksIn(boxes).flat()];
  const spare = boxes.filter(({ type }) => type !== 'meta' && metadata.has(type));
  for (const box of [...spare, ...meta.filter(({ type }) => !metaParts.has(type))]) blank(box);
  for (const box of parts) if (metadata.has(box.type)) blank(box);
}

/** Fills ranges with zeros, except what is to be kept. */
function erase(bytes: Buffer, ranges: readonly Range[], kept: readonly Range[]): void {
  const inOrder = kept.toSorted((a, b) => a.start - b.start);
  for (const { start, end } of ranges) {
    let at = start;
    for (const range of inOrder) {
      if (range.start > at) bytes.fill(0, at, Math.min(range.start, end));
      at = Math.max(at, range.end);
      if (at >= end) break;
    }
    if (at < end) bytes.fill(0, at, end);
  }
}
