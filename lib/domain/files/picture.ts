/** A picture file by its content: the format, the pixels of its canvas, and the frames of an animation. */
export interface Picture {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/**
 * The pixels that a browser may decode for one picture, all frames together (lib/spec/decisions.md section 6). A small
 * file can have billions, and takes four bytes of memory for each.
 */
export const picturePixelsMax = 25_000_000;

export const pixelsOf = ({ width, height, frames }: Omit<Picture, 'type'>): number => width * height * frames;

/** A piece of a picture file: a chunk of PNG or WebP, a segment of JPEG, a block of GIF. */
export interface Piece {
  /** Four letters, or the number that begins a segment or block. */
  readonly type: string | number;
  readonly start: number;
  /** The first byte of its data. */
  readonly data: number;
  /** The end of its data, and of the whole piece. */
  readonly dataEnd: number;
  readonly end: number;
}

/**
 * Reads size and frames as a browser does that shows what it can: an incomplete file has the pieces that it has, and
 * the largest size counts. What browsers read in different ways is no picture here.
 * @returns undefined for any other file
 */
export function readPicture(bytes: Uint8Array): Picture | undefined {
  const format = formats.find(({ begins }) => begins(bytes));
  if (!format) return undefined;
  const found = { width: 0, height: 0, frames: 0 };
  try {
    format.measure(bytes, found);
  } catch (error) {
    if (isBroken(error)) return undefined;
    if (!isCutOff(error)) throw error;
  }
  if (found.width === 0 || found.height === 0) return undefined;
  return { ...found, type: format.type, frames: Math.max(1, found.frames) };
}

/** A read after the end. Compares the name, because buffers may throw an error of another realm. */
export const isCutOff = (error: unknown): boolean => (error as Error).name === 'RangeError';

/** A piece that its format does not have. */
export const isBroken = (error: unknown): boolean => (error as Error).name === 'SyntaxError';

type Found = { -readonly [Member in 'width' | 'height' | 'frames']: number };

function text(bytes: Uint8Array, from: number, to: number): string {
  let letters = '';
  for (let at = from; at < to; at++) letters += String.fromCharCode(bytes[at] ?? 0);
  return letters;
}
const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function enlarge(found: Found, width: number, height: number): void {
  found.width = Math.max(found.width, width);
  found.height = Math.max(found.height, height);
}

export const isPng = (bytes: Uint8Array): boolean => text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n';

/** The chunks of a PNG (https://www.w3.org/TR/png-3). @throws RangeError after a chunk that is cut off */
export function* pngChunks(bytes: Uint8Array): Generator<Piece> {
  const numbers = view(bytes);
  for (let start = 8; start < bytes.length; ) {
    const dataEnd = start + 8 + numbers.getUint32(start);
    const end = dataEnd + 4;
    yield { type: text(bytes, start + 4, start + 8), start, data: start + 8, dataEnd, end };
    start = within(bytes, end);
  }
}

function measurePng(bytes: Uint8Array, found: Found): void {
  const numbers = view(bytes);
  let controls = 0;
  for (const { type, data } of pngChunks(bytes)) {
    if (type === 'IEND') return;
    if (type === 'IHDR') enlarge(found, numbers.getUint32(data), numbers.getUint32(data + 4));
    if (type === 'acTL') found.frames = Math.max(found.frames, numbers.getUint32(data));
    if (type === 'fcTL') found.frames = Math.max(found.frames, ++controls);
  }
}

export const isJpeg = (bytes: Uint8Array): boolean => text(bytes, 0, 2) === '\xff\xd8';

const endOfImage = 0xd9;
const startOfScan = 0xda;

/**
 * The segments of one JPEG from SOI to EOI (ITU-T T.81, annex B). A scan includes its picture data.
 * @throws SyntaxError for anything else, RangeError after a segment that is cut off
 */
export function* jpegSegments(bytes: Uint8Array, from = 0): Generator<Piece & { readonly type: number }> {
  const numbers = view(bytes);
  for (let start = from + 2; ; ) {
    if (numbers.getUint8(start) !== 0xff) throw new SyntaxError('A marker is missing.');
    // A marker is one or several 0xff and its code.
    let at = start + 1;
    while (numbers.getUint8(at) === 0xff) at++;
    const type = numbers.getUint8(at);
    // Restarts and the like have no place here.
    if (type < 0xc0 || (type >= 0xd0 && type <= 0xd8)) throw new SyntaxError('A segment is unknown.');
    const data = at + 1 + (type === endOfImage ? 0 : 2);
    const dataEnd = type === endOfImage ? data : at + 1 + numbers.getUint16(at + 1);
    const end = type === startOfScan ? afterScan(bytes, dataEnd) : dataEnd;
    if (dataEnd < data) throw new SyntaxError('A segment is shorter than its length.');
    yield { type, start, data, dataEnd, end };
    if (type === endOfImage) return;
    start = within(bytes, end);
  }
}

/** The picture data ends at the next marker that is neither a stuffed 0xff nor a restart. */
function afterScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const code = bytes[at + 1] ?? 0;
    if (code !== 0 && code !== 0xff && (code < 0xd0 || code > 0xd7)) return at;
  }
  return bytes.length;
}

/** Frames of any kind: all but the tables DHT and DAC, and JPG. */
export const isFrame = (type: number): boolean =>
  type >= 0xc0 && type <= 0xcf && type !== 0xc4 && type !== 0xc8 && type !== 0xcc;

function measureJpeg(bytes: Uint8Array, found: Found): void {
  const numbers = view(bytes);
  for (const { type, data } of jpegSegments(bytes)) {
    if (isFrame(type)) enlarge(found, numbers.getUint16(data + 3), numbers.getUint16(data + 1));
    // Browsers begin to show the picture here.
    if (type === startOfScan) return;
  }
}

export const isGif = (bytes: Uint8Array): boolean => /^GIF8[79]a$/.test(text(bytes, 0, 6));

export const gifExtension = 0x21;
export const gifImage = 0x2c;
export const gifTrailer = 0x3b;
export const gifControl = 0xf9;

/** The length of the screen with its colour table. */
export const gifScreenEnd = (bytes: Uint8Array): number => 13 + tableLength(view(bytes).getUint8(10));

/**
 * The blocks of a GIF after its screen (https://www.w3.org/Graphics/GIF/spec-gif89a.txt), to the trailer.
 * @throws SyntaxError for anything else, RangeError after a block that is cut off
 */
export function* gifBlocks(bytes: Uint8Array): Generator<Piece> {
  const numbers = view(bytes);
  for (let start = gifScreenEnd(bytes); ; ) {
    const type = numbers.getUint8(start);
    const data = start + 1;
    if (type === gifTrailer) return yield { type, start, data, dataEnd: data, end: data };
    if (type !== gifExtension && type !== gifImage) throw new SyntaxError('A block is unknown.');
    // An image has its position, size, flags, a colour table, and the size of codes. An extension has a label.
    const subBlocks = type === gifExtension ? data + 1 : data + 10 + tableLength(numbers.getUint8(data + 8));
    // Browsers read another length of this block in different ways.
    if (type === gifExtension && numbers.getUint8(data) === gifControl && numbers.getUint8(subBlocks) !== 4)
      throw new SyntaxError('A control has four bytes.');
    const end = afterSubBlocks(bytes, subBlocks);
    yield { type, start, data, dataEnd: end, end };
    start = within(bytes, end);
  }
}

/** The size of the colour table in the flags, in bytes. */
const tableLength = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Each sub-block starts with its length; a length of zero ends them. */
function afterSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let length = bytes[at]; length; length = bytes[at]) at += 1 + length;
  return at + 1;
}

function measureGif(bytes: Uint8Array, found: Found): void {
  const numbers = view(bytes);
  for (const { type, data } of gifBlocks(bytes)) {
    if (type !== gifImage) continue;
    found.frames++;
    enlarge(found, numbers.getUint16(6, true), numbers.getUint16(8, true));
    // Browsers enlarge the screen for a picture beyond it.
    const [x = 0, y = 0, width = 0, height = 0] = [0, 2, 4, 6].map((at) => numbers.getUint16(data + at, true));
    enlarge(found, x + width, y + height);
  }
}

export const isWebp = (bytes: Uint8Array): boolean => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP';

/** The chunks of a WebP (RFC 9649), or those of a frame. @throws RangeError after a chunk that is cut off */
export function* webpChunks(bytes: Uint8Array, from = 12): Generator<Piece> {
  const numbers = view(bytes);
  for (let start = from; start < bytes.length; ) {
    const dataEnd = start + 8 + numbers.getUint32(start + 4, true);
    // Chunks begin at even offsets.
    const end = dataEnd + ((dataEnd - start) % 2);
    yield { type: text(bytes, start, start + 4), start, data: start + 8, dataEnd, end };
    start = within(bytes, end);
  }
}

/** The size of a picture in a chunk, and of the canvas. @returns undefined for other chunks and broken pictures */
export function webpSize(bytes: Uint8Array, { type, data }: Piece): { width: number; height: number } | undefined {
  const numbers = view(bytes);
  const short = (at: number) => numbers.getUint16(data + at, true);
  const three = (at: number) => short(at) | (numbers.getUint8(data + at + 2) << 16);
  if (type === 'VP8X') return { width: 1 + three(4), height: 1 + three(7) };
  // RFC 6386, 9.1: the first frame is a key frame, and its size is after its start code.
  if (type === 'VP8 ' && (short(0) & 1) === 0 && three(3) === 0x2a019d)
    return { width: short(6) & 0x3fff, height: short(8) & 0x3fff };
  // RFC 9649, 3.4: 14 bits each, and three of version 0.
  if (type !== 'VP8L' || numbers.getUint8(data) !== 0x2f) return undefined;
  const bits = numbers.getUint32(data + 1, true);
  return bits >>> 29 === 0 ? { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) } : undefined;
}

function measureWebp(bytes: Uint8Array, found: Found): void {
  for (const chunk of webpChunks(bytes)) {
    const size = webpSize(bytes, chunk);
    if (size) enlarge(found, size.width, size.height);
    if (chunk.type === 'ANMF') found.frames++;
  }
}

/** The place after a piece. A piece that is cut off is read, because browsers show it. @throws RangeError after it */
function within(bytes: Uint8Array, end: number): number {
  if (end > bytes.length) throw new RangeError('A piece is cut off.');
  return end;
}

const formats = [
  { type: 'image/png', begins: isPng, measure: measurePng },
  { type: 'image/jpeg', begins: isJpeg, measure: measureJpeg },
  { type: 'image/gif', begins: isGif, measure: measureGif },
  { type: 'image/webp', begins: isWebp, measure: measureWebp },
] as const;
