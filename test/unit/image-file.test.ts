import { Session } from 'node:inspector';
import { describe, expect, it } from '@jest/globals';
import { HttpError } from '#lib/http/errors.ts';
import { readImageFile } from '#lib/media/image-file.ts';
import * as make from '#test/support/image-files.ts';

const { avif, gif, jpeg, png, webp, validImages: wholeImages, svg } = make;

/** Files of other programs. */
const written: readonly (readonly [string, string, number, number])[] = [
  ['image/gif', 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 1, 1],
  ['image/webp', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 1, 1],
  ['image/webp', 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 1, 1],
  [
    'image/avif',
    'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=',
    2,
    2,
  ],
];

/** The code of the refusal, or nothing for an image. */
function refusalOf(bytes: Buffer): string | undefined {
  try {
    readImageFile(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.details.errors?.[0]?.code;
    throw error;
  }
}

describe('an image', () => {
  it.each(Object.entries(wholeImages))('an image of %s is recognised by its content, with its size', (type, bytes) => {
    expect(readImageFile(bytes)).toMatchObject({ type, width: 3, height: 2 });
  });

  it.each(written)('an image of %s as programs write it is read', (type, base64, width, height) => {
    const bytes = Buffer.from(base64, 'base64');
    const image = readImageFile(bytes);
    expect(image).toMatchObject({ type, width, height, size: Buffer.concat(image.bytes).length });
  });

  it.each<[string, Buffer]>([
    ['1 pixel', png(1, 1)],
    ['16,384 pixels', png(16_384, 1)],
    ['a progressive frame', jpeg(3, 2, [], make.jpegFrame(3, 2, 0xc2))],
    ['a profile that holds bytes like markers', jpeg(3, 2, [make.jpegSegment(0xe2, [0xff, 0xd9, 0xff, 0xc0])])],
    ['a preview behind it, which it announces', Buffer.concat([jpeg(3, 2, [preview()]), jpeg(1, 1)])],
    ['a canvas with frames', make.riff([make.canvas(3, 2), make.webpFrame(3, 2)])],
    [
      'a canvas with a profile',
      make.riff([make.canvas(3, 2), make.webpChunk('ICCP', Buffer.alloc(5)), make.lossless(3, 2)]),
    ],
    ['a sequence', avif(3, 2, { brand: 'avis' })],
    ['its data in the whole file', avif(3, 2, { locations: make.wholeFileLocations(1, 1) })],
    ['text in a chunk', png(3, 2, [make.pngChunk('tEXt', Buffer.from('<script>'))])],
  ])('is whole with %s', (_, bytes) => {
    expect(refusalOf(bytes)).toBeUndefined();
  });
});

/** Declares further pictures in the file. */
function preview(): Buffer {
  return make.jpegSegment(0xe2, [...Buffer.from('MPF\0'), 0, 0]);
}

const html = Buffer.from('<script>alert(1)</script>');
const swapped = (bytes: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
};

const hostile: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['zeros', Buffer.alloc(1_000)],
  ['an SVG', svg],
  ['an SVG after the signature of PNG', Buffer.concat([make.pngSignature, svg])],
  ['HTML after the signature of GIF', Buffer.concat([Buffer.from('GIF89a'), html])],
  ['a PDF', Buffer.from('%PDF-1.7\n%%EOF')],
  ['a BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)])],
  ['HEIC', avif(3, 2, { brand: 'heic' })],
  ['1 x 1 that says 60,000 x 60,000', png(60_000, 60_000)],
  ['16,385 pixels', png(16_385, 1)],
  ['no pixels', png(0, 5)],
  ['a GIF of no pixels', gif(0, 1)],
  ['a GIF of 60,000 pixels', gif(60_000, 1)],
  ['a JPEG of no height', jpeg(5, 0)],
  ['a JPEG of 60,000 pixels', jpeg(60_000, 60_000)],
  ['a WebP of 60,000 pixels', make.riff([make.canvas(60_000, 60_000), make.webpFrame(9, 9)])],
  ['an AVIF of 60,000 pixels', avif(60_000, 60_000)],
  [
    'a PNG without a picture',
    Buffer.concat([make.pngSignature, make.pngHeader(1, 1), make.pngChunk('IEND', Buffer.alloc(0))]),
  ],
  [
    'a PNG whose header is not first',
    Buffer.concat([make.pngSignature, make.pngChunk('tEXt', html), png().subarray(8)]),
  ],
  ['a PNG with two headers', png(3, 2, [make.pngHeader(1, 1)])],
  ['a PNG whose checksum is wrong', swapped(png(), 18, 9)],
  ['a PNG chunk beyond the end', swapped(png(), 8, 0x7f)],
  ['a JPEG without a frame', jpeg(3, 2, [], Buffer.alloc(0))],
  ['a JPEG that no browser shows', jpeg(3, 2, [], make.jpegFrame(3, 2, 0xc3))],
  [
    'a JPEG without a scan',
    Buffer.concat([Buffer.from([0xff, 0xd8]), make.jpegFrame(3, 2), Buffer.from([0xff, 0xd9])]),
  ],
  ['a JPEG with another one behind it', Buffer.concat([jpeg(), jpeg()])],
  ['a JPEG with a preview and more', Buffer.concat([jpeg(3, 2, [preview()]), jpeg(1, 1), html])],
  ['a GIF without a picture', gif(3, 2, 0)],
  ['a WebP without a picture', make.riff([make.canvas(3, 2)])],
  ['a WebP whose canvas is another', make.riff([make.canvas(300, 200), make.lossless(3, 2)])],
  ['a WebP that says it is longer', swapped(webp(), 4, 0xff)],
  ['a WebP of a later version', swapped(make.riff([make.lossless(3, 2)]), 24, 0xff)],
  ['a WebP that begins between frames', swapped(webp(), 20, 0x31)],
  ['an AVIF whose picture is elsewhere', avif(3, 2, { shift: 1 })],
  ['an AVIF whose picture is the whole file twice', avif(3, 2, { locations: make.wholeFileLocations(1, 2) })],
  ['an AVIF of one box', make.box('ftyp', Buffer.from('avif\0\0\0\0'))],
  ['a box that says it is shorter than its header', Buffer.concat([avif(), Buffer.from('0000000466726565', 'hex')])],
];

describe('refused is', () => {
  it.each(hostile)('%s', (_, bytes) => {
    expect(refusalOf(bytes)).toBe('format');
  });

  it.each(Object.entries(wholeImages))('%s with anything behind its end', (_, bytes) => {
    for (const more of [Buffer.from([0]), html, Buffer.from('PK\x05\x06'), bytes]) {
      expect(refusalOf(Buffer.concat([bytes, more]))).toBe('format');
    }
  });

  it.each(Object.entries(wholeImages))('%s with anything before its beginning', (_, bytes) => {
    expect(refusalOf(Buffer.concat([html, bytes]))).toBe('format');
  });

  it.each(Object.entries(wholeImages))('%s that is cut off anywhere', (_, bytes) => {
    const lengths = Array.from(bytes.keys());
    expect(lengths.filter((length) => refusalOf(bytes.subarray(0, length)) !== 'format')).toEqual([]);
  });
});

/** The sequence header of AV1 data with one still picture. */
function sequence(side: number): Buffer {
  const bits = [
    '000',
    '1',
    '1',
    '00000',
    '1111',
    '1111',
    ...[side, side].map((value) => (value - 1).toString(2).padStart(16, '0')),
  ];
  const text = bits.join('').padEnd(56, '0');
  const bytes = (text.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return Buffer.from([0x0a, bytes.length, ...bytes]);
}

const frames = (count: number, make: (index: number) => Buffer): Buffer[] =>
  Array.from({ length: count }, (_, i) => make(i));
const control = (count: number): Buffer =>
  make.pngChunk('acTL', Buffer.from([0, 0, count >> 8, count & 255, 0, 0, 0, 0]));
const frameControl = () => make.pngChunk('fcTL', Buffer.alloc(26));

/** A track of a sequence: its table has the size and the number of its frames. */
function track(width: number, height: number, count: number): Buffer {
  const entry = Buffer.alloc(70);
  entry.writeUInt16BE(width, 24);
  entry.writeUInt16BE(height, 26);
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32BE(count, 8);
  const table = make.box('stbl', make.box('stsd', Buffer.alloc(8), make.box('av01', entry)), make.box('stsz', sizes));
  return make.box('moov', make.box('trak', make.box('mdia', make.box('minf', table))));
}

/** Each with 25 million pixels, and with a few more. */
const floods: readonly (readonly [string, Buffer, Buffer])[] = [
  ['a PNG', png(5_000, 5_000), png(5_000, 5_001)],
  ['a PNG with frames that it announces', png(500, 500, [control(100)]), png(500, 500, [control(101)])],
  [
    'a PNG with more frames than it announces',
    png(500, 500, [control(1), ...frames(100, frameControl)]),
    png(500, 500, [control(1), ...frames(101, frameControl)]),
  ],
  ['a JPEG', jpeg(16_000, 1_562), jpeg(16_000, 1_563)],
  [
    'a progressive JPEG',
    jpeg(1, 1, [], make.jpegFrame(6_250, 4_000, 0xc2)),
    jpeg(1, 1, [], make.jpegFrame(6_250, 4_001, 0xc2)),
  ],
  ['a GIF', gif(1_000, 1_000, 25), gif(1_000, 1_000, 26)],
  ['a lossy WebP', make.riff([make.lossy(5_000, 5_000)]), make.riff([make.lossy(5_001, 5_000)])],
  ['a lossless WebP', make.riff([make.lossless(5_000, 5_000)]), make.riff([make.lossless(5_000, 5_001)])],
  [
    'an animated WebP',
    make.riff([make.canvas(1_000, 500), ...frames(50, () => make.webpFrame(2, 2))]),
    make.riff([make.canvas(1_000, 500), ...frames(51, () => make.webpFrame(2, 2))]),
  ],
  ['an AVIF', avif(5_000, 5_000), avif(5_000, 5_001)],
  [
    'an AVIF whose data is larger than it says',
    avif(3, 2, { data: sequence(5_000) }),
    avif(3, 2, { data: sequence(60_000) }),
  ],
  [
    'a sequence of AVIF',
    Buffer.concat([avif(10, 10, { brand: 'avis' }), track(1_000, 1_000, 25)]),
    Buffer.concat([avif(10, 10, { brand: 'avis' }), track(1_000, 1_000, 26)]),
  ],
];

it.each(floods)('%s may have 25 million pixels, all frames together, and not more', (_, most, more) => {
  expect([refusalOf(most), refusalOf(more)]).toEqual([undefined, 'too_large']);
});

// V8 counts the blocks of the functions that it compiles from now on.
const profiler = new Session();
profiler.connect();
profiler.post('Profiler.enable');
profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** The number of blocks of code that a computation runs, which is the same on every machine. */
function stepsOf(compute: () => void): number {
  let steps = 0;
  profiler.post('Profiler.takePreciseCoverage');
  compute();
  profiler.post('Profiler.takePreciseCoverage', (_, { result }) => {
    for (const { url, functions } of result) {
      if (!url.includes('/lib/')) continue;
      for (const { ranges } of functions) for (const { count } of ranges) steps += count;
    }
  });
  return steps;
}

/** Checks large files without an end, with blocks of one byte and boxes of eight. */
function checkEndless(large: number): void {
  refusalOf(Buffer.concat([jpeg().subarray(0, -2), Buffer.alloc(large, 0xff)]));
  refusalOf(Buffer.concat([gif().subarray(0, -1), Buffer.alloc(large, Buffer.from([0x21, 1, 1, 0, 0]))]));
  refusalOf(Buffer.concat([avif(), Buffer.alloc(large, make.box('free'))]));
  refusalOf(Buffer.concat([make.box('ftyp', Buffer.alloc(large, 'heic')), avif().subarray(32)]));
  refusalOf(avif(3, 2, { locations: make.wholeFileLocations(5_000, 1), data: Buffer.alloc(large, 7) }));
  refusalOf(avif(3, 2, { data: Buffer.alloc(large, Buffer.from([0x0a, 0])) }));
  refusalOf(avif(3, 2, { data: Buffer.alloc(large, Buffer.from([0x12, 0])) }));
  refusalOf(make.riff([make.canvas(3, 2), Buffer.alloc(large, make.webpChunk('ANMF', Buffer.alloc(16)))]));
  refusalOf(png(3, 2, [Buffer.alloc(large - 4, make.pngChunk('eXIf', Buffer.alloc(0)))]));
}

it('the check of a file takes steps in proportion to its size', () => {
  const few = 262_144;
  expect(stepsOf(() => checkEndless(10 * few))).toBeLessThan(12 * stepsOf(() => checkEndless(few)));
});

it('a small file of hostile lengths takes hardly more steps than the same file with true ones', () => {
  const values = [0, 1, 0x7f, 0xff];
  const checkEach = (fileFor: (bytes: Buffer, at: number, value: number) => Buffer) => () => {
    for (const bytes of Object.values(wholeImages)) {
      for (let at = 0; at < bytes.length; at++) for (const value of values) refusalOf(fileFor(bytes, at, value));
    }
  };
  const asTheyAre = checkEach((bytes, at) => swapped(bytes, at, bytes[at] ?? 0));
  expect(stepsOf(checkEach(swapped))).toBeLessThan(2 * stepsOf(asTheyAre));
  // Pieces that take no bytes of their list, 400 million in 36 KB.
  const pieces = (count: number) => () => refusalOf(avif(3, 2, { locations: make.wholeFileLocations(6_000, count) }));
  expect(stepsOf(pieces(65_535))).toBeLessThan(2 * stepsOf(pieces(1)));
});
