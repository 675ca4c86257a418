import { describe, expect, it } from '@jest/globals';
import { pixelsOf, readPicture } from '#lib/domain/files/picture.ts';
import {
  avif,
  canvas,
  gif,
  jpeg,
  jpegFrame,
  jpegSegment,
  lossless,
  lossy,
  png,
  pngChunk,
  pngHeader,
  riff,
  svg,
  validImages,
  webpChunk,
  webpFrame,
} from '#test/support/image-files.ts';

const sizeOf = (bytes: Uint8Array) => {
  const picture = readPicture(bytes);
  return picture && [picture.width, picture.height, picture.frames];
};
const changed = (bytes: Buffer, at: number, ...values: readonly number[]): Buffer => {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
};
const pictures = Object.entries(validImages).filter(([type]) => type !== 'image/avif');

describe('the pixels of a picture', () => {
  it.each(pictures)('are read of a file of %s, and of a view into a larger buffer', (type, bytes) => {
    const inside = new Uint8Array(Buffer.concat([Buffer.alloc(7), bytes])).subarray(7);
    for (const sent of [bytes, new Uint8Array(bytes), inside])
      expect(readPicture(sent)).toEqual({ type, width: 3, height: 2, frames: type === 'image/gif' ? 2 : 1 });
  });

  it.each<[string, Buffer, number[]]>([
    [
      'a photo with data of its phone behind it',
      Buffer.concat([jpeg(4_000, 3_000), Buffer.from('SEFH'), png(9, 9)]),
      [4_000, 3_000, 1],
    ],
    [
      'a photo with a preview before its frame',
      jpeg(40, 30, [jpegSegment(0xe1, [...jpegFrame(9_000, 9_000)])]),
      [40, 30, 1],
    ],
    ['a photo that was not sent to its end', jpeg(40, 30).subarray(0, -6), [40, 30, 1]],
    ['a PNG that was not sent to its end', png(40, 30).subarray(0, -20), [40, 30, 1]],
    ['a WebP that was not sent to its end', riff([lossy(40, 30)]).subarray(0, -1), [40, 30, 1]],
    ['an animation of which two frames were sent', gif(40, 30, 5).subarray(0, -80), [40, 30, 2]],
  ])('are read of %s, because browsers show it', (_, bytes, size) => {
    expect(sizeOf(bytes)).toEqual(size);
  });

  const wide = [0xff, 0x7f, 0xff, 0x7f];

  it.each<[string, Buffer]>([
    ['a picture that enlarges its GIF', changed(gif(1, 1), 19 + 8 + 5, ...wide)],
    ['such a picture that does not end', changed(gif(1, 1, 1), 19 + 8 + 5, ...wide).subarray(0, -3)],
    ['a picture far from the corner of its GIF', changed(gif(1, 1), 19 + 8 + 1, ...wide)],
    ['a second frame of a JPEG', jpeg(1, 1, [jpegFrame(30_000, 30_000)])],
    ['a JPEG of a kind that few browsers show', jpeg(1, 1, [], jpegFrame(30_000, 30_000, 0xc9))],
    ['a second header of a PNG', png(1, 1, [pngHeader(30_000, 30_000)])],
    [
      'frames that a PNG announces',
      png(1_000, 1_000, [pngChunk('acTL', Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]))]),
    ],
    [
      'frames that a PNG has',
      png(
        1_000,
        1_000,
        Array.from({ length: 30 }, () => pngChunk('fcTL', Buffer.alloc(26))),
      ),
    ],
    ['a PNG whose checksum is wrong', changed(png(30_000, 30_000), 29, 1)],
    ['a canvas behind the picture of a WebP', riff([lossless(1, 1), canvas(16_000, 16_000)])],
    ['a picture larger than its canvas', riff([canvas(1, 1), lossy(16_000, 16_000)])],
    [
      'frames of a WebP of which the last is cut off',
      riff([canvas(5_000, 5_000), webpFrame(1, 1), webpFrame(1, 1)]).subarray(0, -1),
    ],
  ])('are the most that a browser may take: %s', (_, bytes) => {
    const picture = readPicture(bytes);
    expect(picture && pixelsOf(picture)).toBeGreaterThan(25_000_000);
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['an SVG', svg],
    ['an AVIF', avif()],
    ['HTML after the beginning of a GIF', Buffer.from('GIF89a<script>')],
    ['a signature alone', png().subarray(0, 8)],
    ['a PNG without a header', Buffer.concat([png().subarray(0, 8), pngChunk('IDAT', Buffer.alloc(9))])],
    ['a PNG of no height', png(5, 0)],
    ['a JPEG whose height comes later', jpeg(5, 0)],
    [
      'a JPEG with bytes between its segments',
      Buffer.concat([jpeg().subarray(0, 20), Buffer.from([0]), jpeg(9, 9).subarray(20)]),
    ],
    ['a JPEG with a restart before its frame', jpeg(3, 2, [Buffer.from([0xff, 0xd0])])],
    ['a GIF that browsers read in different ways after its first frame', changed(gif(10, 10, 3), 19 + 29 + 2, 3)],
    ['a WebP of a later version', riff([changed(lossless(3, 2), 12, 0xff)])],
    ['a WebP of unknown chunks', riff([webpChunk('abcd', Buffer.alloc(10))])],
  ])('are unknown of %s', (_, bytes) => {
    expect(sizeOf(bytes)).toBeUndefined();
  });
});
