import { describe, expect, it } from '@jest/globals';
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

describe('an image', () => {
  it.each(Object.entries(wholeImages))('an image of %s is recognised by its content, with its size', (type, bytes) => {
    expect(readImageFile(bytes)).toEqual({ type, width: 3, height: 2 });
  });

  it.each(written)('an image of %s as programs write it is read', (type, base64, width, height) => {
    expect(readImageFile(Buffer.from(base64, 'base64'))).toEqual({ type, width, height });
  });

  it.each<[string, Buffer]>([
    ['1 pixel', png(1, 1)],
    ['16,384 pixels', png(16_384, 16_384)],
    ['a progressive frame', jpeg(3, 2, [], make.jpegFrame(3, 2, 0xc2))],
    ['a profile that holds bytes like markers', jpeg(3, 2, [make.jpegSegment(0xe2, [0xff, 0xd9, 0xff, 0xc0])])],
    ['a preview behind it, which it announces', Buffer.concat([jpeg(3, 2, [preview()]), jpeg(1, 1)])],
    ['a canvas with frames', make.riff([make.canvas(3, 2), make.webpChunk('ANMF', Buffer.alloc(30))])],
    [
      'a canvas with a profile',
      make.riff([make.canvas(3, 2), make.webpChunk('ICCP', Buffer.alloc(5)), make.lossless(3, 2)]),
    ],
    ['a sequence', avif(3, 2, { brand: 'avis' })],
    ['its data in the whole file', avif(3, 2, { locations: make.wholeFileLocations(2, 1) })],
    ['text in a chunk', png(3, 2, [make.pngChunk('tEXt', Buffer.from('<script>'))])],
  ])('is whole with %s', (_, bytes) => {
    expect(readImageFile(bytes)).toBeDefined();
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
  ['a WebP of 60,000 pixels', make.riff([make.canvas(60_000, 60_000), make.webpChunk('ANMF', Buffer.alloc(30))])],
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
    expect(readImageFile(bytes)).toBeUndefined();
  });

  it.each(Object.entries(wholeImages))('%s with anything behind its end', (_, bytes) => {
    for (const more of [Buffer.from([0]), html, Buffer.from('PK\x05\x06'), bytes]) {
      expect(readImageFile(Buffer.concat([bytes, more]))).toBeUndefined();
    }
  });

  it.each(Object.entries(wholeImages))('%s with anything before its beginning', (_, bytes) => {
    expect(readImageFile(Buffer.concat([html, bytes]))).toBeUndefined();
  });

  it.each(Object.entries(wholeImages))('%s that is cut off anywhere', (_, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      expect([length, readImageFile(bytes.subarray(0, length))]).toEqual([length, undefined]);
    }
  });
});

it('a file of hostile lengths and of 10 MB is checked in bounded CPU time', () => {
  const began = process.cpuUsage();
  for (const [, bytes] of Object.entries(wholeImages)) {
    for (let at = 0; at < bytes.length; at++)
      for (const value of [0, 1, 0x7f, 0xff]) readImageFile(swapped(bytes, at, value));
  }
  // Markers without an end, blocks of one byte, boxes of eight.
  const large = 10 * 1_048_576;
  readImageFile(Buffer.concat([jpeg().subarray(0, -2), Buffer.alloc(large, 0xff)]));
  readImageFile(Buffer.concat([gif().subarray(0, -1), Buffer.alloc(large, Buffer.from([0x21, 1, 1, 0, 0]))]));
  readImageFile(Buffer.concat([avif(), Buffer.alloc(large, make.box('free'))]));
  readImageFile(Buffer.concat([make.box('ftyp', Buffer.alloc(large, 'heic')), avif().subarray(32)]));
  // Pieces that take no bytes of their list, 400 million in 36 KB.
  readImageFile(avif(3, 2, { locations: make.wholeFileLocations(6_000, 65_535) }));
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(5_000);
});
