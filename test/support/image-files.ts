import { crc32, deflateSync } from 'node:zlib';

/** Small complete images of the five formats, and the parts for damaged ones. */

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const sum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return pngChunk('IHDR', header);
}

/** A grey picture. */
export const png = (width = 3, height = 2, more: readonly Buffer[] = []): Buffer =>
  Buffer.concat([
    pngSignature,
    pngHeader(width, height),
    ...more,
    pngChunk('IDAT', deflateSync(Buffer.alloc(Math.min(height, 10) * (Math.min(width, 10) + 1)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);

/** A segment of a JPEG: its marker, its length, its data. */
export const jpegSegment = (marker: number, data: readonly number[]): Buffer =>
  Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data]);

/** Exif data of a JPEG that says how the picture is turned, from 2 to 8. */
export const turned = (orientation: number): Buffer =>
  jpegSegment(0xe1, [
    ...Buffer.from(`4578696600004d4d002a0000000800010112000300000001000${orientation}000000000000`, 'hex'),
  ]);

export const jpegFrame = (width: number, height: number, marker = 0xc0): Buffer =>
  jpegSegment(marker, [8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0]);

/** Its picture data has a stuffed 0xff and a restart. */
export const jpeg = (width = 3, height = 2, more: readonly Buffer[] = [], frame = jpegFrame(width, height)): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...more,
    jpegSegment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    frame,
    jpegSegment(0xc4, [0, ...Array.from({ length: 16 }, () => 0)]),
    jpegSegment(0xda, [1, 1, 0, 0, 63, 0]),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]),
  ]);

/** An animated GIF. */
export function gif(width = 3, height = 2, frames = 2): Buffer {
  const size = [width & 0xff, width >> 8, height & 0xff, height >> 8];
  const frame = [0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, ...size, 0x80, 0, 0, 0, 9, 9, 9, 2, 2, 0x4c, 1, 0];
  const head = [...Buffer.from('GIF89a'), ...size, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  return Buffer.from([...head, ...Array.from({ length: frames }, () => frame).flat(), 0x3b]);
}

export function webpChunk(type: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
}

export function riff(chunks: readonly Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from('RIFF'), length, content]);
}

export const lossy = (width: number, height: number): Buffer =>
  webpChunk('VP8 ', Buffer.from([0x30, 1, 0, 0x9d, 1, 0x2a, width & 255, width >> 8, height & 255, height >> 8, 1]));

export function lossless(width: number, height: number): Buffer {
  const data = Buffer.alloc(6, 0x2f);
  data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return webpChunk('VP8L', data);
}

export function canvas(width: number, height: number): Buffer {
  const data = Buffer.alloc(10);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}

/** A frame of an animation. */
export const webpFrame = (width: number, height: number, more: readonly Buffer[] = []): Buffer =>
  webpChunk('ANMF', Buffer.concat([Buffer.alloc(16), lossless(width, height), ...more]));

export const webp = (width = 3, height = 2): Buffer => riff([lossy(width, height)]);

export function box(type: string, ...data: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(data);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + 8);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), content]);
}

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const number = (value: number, length: number): Buffer => {
  const written = Buffer.alloc(length);
  written.writeUIntBE(value, 0, length);
  return written;
};

/** The locations of items in pieces whose offset and length have no bytes, so that each is the whole file. */
export function wholeFileLocations(items: number, pieces: number): Buffer {
  const item = (id: number) => Buffer.concat([number(id, 2), number(0, 2), number(pieces, 2)]);
  const all = Array.from({ length: items }, (_, index) => item(items - index));
  return box('iloc', number(0, 4), bytes(0, 0), number(items, 2), ...all);
}

interface AvifParts {
  readonly shift: number;
  readonly brand: string;
  readonly locations: Buffer;
  /** The bytes of the picture. */
  readonly data: Buffer;
  /** A second item behind it: its type, the texts of its entry, its bytes. */
  readonly second: { readonly type: string; readonly named: string; readonly data: Buffer };
  /** Bytes between the items. */
  readonly unnamed: Buffer;
  /** More properties, and more parts of the box `meta`. */
  readonly properties: readonly Buffer[];
  readonly parts: readonly Buffer[];
}

/** One picture of eight bytes; the second property is the size of a thumbnail. */
export function avif(width = 3, height = 2, options: Partial<AvifParts> = {}): Buffer {
  const { shift = 0, brand = 'avif', data = Buffer.alloc(8, 7), second, unnamed = Buffer.alloc(0) } = options;
  const type = box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1${brand}`));
  const extent = (w: number, h: number) => box('ispe', number(0, 4), number(w, 4), number(h, 4));
  const count = number(second ? 2 : 1, 2);
  const located = (id: number, offset: number, length: number) =>
    Buffer.concat([number(id, 2), number(0, 2), number(1, 2), number(offset, 4), number(length, 4)]);
  const entry = (id: number, named: string) =>
    box('infe', number(0x02000000, 4), number(id, 2), number(0, 2), Buffer.from(named));
  const meta = (offset: number) =>
    box(
      'meta',
      number(0, 4),
      box('pitm', number(0, 4), number(1, 2)),
      options.locations ??
        box(
          'iloc',
          number(0, 4),
          bytes(0x44, 0x00),
          count,
          located(1, offset, data.length),
          ...(second ? [located(2, offset + data.length + unnamed.length, second.data.length)] : []),
        ),
      box('iinf', number(0, 4), count, entry(1, 'av01\0'), ...(second ? [entry(2, second.type + second.named)] : [])),
      box(
        'iprp',
        box('ipco', extent(1, 1), extent(width, height), ...(options.properties ?? [])),
        box('ipma', number(0, 4), number(2, 4), number(2, 2), bytes(1, 1), number(1, 2), bytes(1, 0x82)),
      ),
      ...(options.parts ?? []),
    );
  const offset = type.length + meta(0).length + 8 + shift;
  return Buffer.concat([type, meta(offset), box('mdat', data, unnamed, second?.data ?? Buffer.alloc(0))]);
}

/** One image of each format, by its media type. */
export const validImages: Readonly<Record<string, Buffer>> = {
  'image/png': png(),
  'image/jpeg': jpeg(),
  'image/gif': gif(),
  'image/webp': webp(),
  'image/avif': avif(),
};

export const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
