import { describe, expect, it } from '@jest/globals';
import { readImageFile } from '#lib/media/image-file.ts';
import * as make from '#test/support/image-files.ts';

const { avif, box, gif, jpeg, jpegSegment, png, pngChunk, riff, validImages, webpChunk } = make;
const clean = (bytes: Buffer): Buffer => Buffer.concat(readImageFile(bytes).bytes);

/** What no published file may contain. */
const secret = '24.7136N 46.6753E';
const data = Buffer.from(secret);
const profile = Buffer.from('a colour profile');

/** Exif data with a position, in either byte order. */
function exif(orientation?: number, order: 'LE' | 'BE' = 'LE'): Buffer {
  const bytes = Buffer.alloc(8 + 2 + 12 * 2 + 4);
  const short = (value: number, at: number) => bytes[`writeUInt16${order}`](value, at);
  const long = (value: number, at: number) => bytes[`writeUInt32${order}`](value, at);
  bytes.write(order === 'LE' ? 'II' : 'MM');
  short(42, 2);
  long(8, 4);
  short(2, 8);
  for (const [index, [tag, type, value]] of [
    [0x8825, 4, 38],
    [0x0112, 3, orientation ?? 1],
  ].entries()) {
    short(tag ?? 0, 10 + 12 * index);
    short(type ?? 0, 12 + 12 * index);
    long(1, 14 + 12 * index);
    if (type === 3) short(value ?? 0, 18 + 12 * index);
    else long(value ?? 0, 18 + 12 * index);
  }
  return Buffer.concat([bytes, data]);
}

const named = (name: string, ...rest: readonly Uint8Array[]): number[] => [
  ...Buffer.concat([Buffer.from(name, 'latin1'), ...rest]),
];
const subBlocks = (...pieces: readonly Uint8Array[]): Buffer =>
  Buffer.concat([...pieces.flatMap((piece) => [Buffer.from([piece.length]), piece]), Buffer.from([0])]);
const extension = (label: number, ...pieces: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from([0x21, label]), subBlocks(...pieces)]);
const inGif = (...blocks: readonly Buffer[]): Buffer =>
  Buffer.concat([gif().subarray(0, 19), ...blocks, gif().subarray(19)]);
const inWebp = (...chunks: readonly Buffer[]): Buffer => {
  const canvas = make.canvas(3, 2);
  canvas[8] = 0x2c;
  return riff([canvas, webpChunk('ICCP', profile), make.lossless(3, 2), ...chunks]);
};
const thumbnail = Buffer.from([0xff, 0xd8, ...data, 0xff, 0xd9]);

const telling: readonly (readonly [string, Buffer])[] = [
  ['a PNG with text', png(3, 2, [pngChunk('tEXt', Buffer.from(`Author\0${secret}`))])],
  [
    'a PNG with text of any language',
    png(3, 2, [pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${secret}`))]),
  ],
  ['a PNG with compressed text', png(3, 2, [pngChunk('zTXt', data)])],
  ['a PNG with Exif', png(3, 2, [pngChunk('eXIf', exif(6, 'BE'))])],
  ['a PNG with a chunk of a program', png(3, 2, [pngChunk('prVW', data)])],
  ['a PNG with a claim about its origin', png(3, 2, [pngChunk('caBX', data)])],
  ['a JPEG with Exif', jpeg(3, 2, [jpegSegment(0xe1, named('Exif\0\0', exif()))])],
  ['a JPEG with XMP', jpeg(3, 2, [jpegSegment(0xe1, named('http://ns.adobe.com/xap/1.0/\0', data))])],
  ['a JPEG with more XMP', jpeg(3, 2, [jpegSegment(0xe1, named('http://ns.adobe.com/xmp/extension/\0', data))])],
  ['a JPEG with IPTC', jpeg(3, 2, [jpegSegment(0xed, named('Photoshop 3.0\0', data))])],
  ['a JPEG with a comment', jpeg(3, 2, [jpegSegment(0xfe, [...data])])],
  ['a JPEG with a claim about its origin', jpeg(3, 2, [jpegSegment(0xeb, named('JP\0\0', data))])],
  ['a JPEG with a thumbnail', jpeg(3, 2, [jpegSegment(0xe0, named('JFXX\0\x10', thumbnail))])],
  [
    'a JPEG with a density and a thumbnail',
    jpeg(3, 2, [jpegSegment(0xe0, named('JFIF\0\x01\x01\0\0\x01\0\x01\x03\x02', data))]),
  ],
  ['a JPEG with Flashpix', jpeg(3, 2, [jpegSegment(0xe2, named('FPXR\0', data))])],
  [
    'a JPEG with a maker of its own',
    jpeg(
      3,
      2,
      [0xe3, 0xe9, 0xef].map((marker) => jpegSegment(marker, [...data])),
    ),
  ],
  ['a JPEG with the kind of colours and more', jpeg(3, 2, [jpegSegment(0xee, named('Adobe\0\0\0\0\0\0\0', data))])],
  [
    'a JPEG with a comment between two scans',
    Buffer.concat([
      jpeg().subarray(0, -2),
      jpegSegment(0xfe, [...data]),
      jpegSegment(0xda, [1, 1, 0, 0, 63, 0]),
      Buffer.from([1, 0xff, 0xd9]),
    ]),
  ],
  [
    'a JPEG with a preview that has a position',
    Buffer.concat([
      jpeg(3, 2, [jpegSegment(0xe2, named('MPF\0'))]),
      jpeg(1, 1, [jpegSegment(0xe1, named('Exif\0\0', exif()))]),
    ]),
  ],
  ['a GIF with a comment', inGif(extension(0xfe, Buffer.from(';;'), data))],
  ['a GIF with XMP', inGif(extension(0xff, Buffer.from('XMP DataXMP'), data))],
  ['a GIF with a text', inGif(extension(0x01, Buffer.alloc(12), data))],
  ['a GIF with an unknown extension', inGif(extension(0x77, data))],
  ['a WebP with Exif', inWebp(webpChunk('EXIF', exif()))],
  ['a WebP with Exif that is named', inWebp(webpChunk('EXIF', Buffer.concat([Buffer.from('Exif\0\0'), exif(3)])))],
  ['a WebP with XMP', inWebp(webpChunk('XMP ', data))],
  ['a WebP with an unknown chunk', inWebp(webpChunk('abcd', data))],
  ['a WebP without a canvas and with an unknown chunk', riff([make.lossy(3, 2), webpChunk('abcd', data)])],
  [
    'a WebP whose frame has an unknown chunk',
    riff([make.canvas(3, 2), make.webpFrame(3, 2, [webpChunk('abcd', data)])]),
  ],
  ...avifs(),
];

/** Metadata within AVIF: an item, data between items, boxes, a property. */
function avifs(): readonly (readonly [string, Buffer])[] {
  const two = (type: string, named: string) => avif(3, 2, { second: { type, named, data } });
  return [
    ['an AVIF with Exif', two('Exif', 'Exif\0')],
    ['an AVIF with XMP', two('mime', `${secret}\0application/rdf+xml\0`)],
    ['an AVIF with a link', two('uri ', `\0https://example.com/${secret}\0`)],
    ['an AVIF with data between its items', avif(3, 2, { unnamed: data })],
    ['an AVIF with a box of a program', Buffer.concat([avif(), box('uuid', Buffer.alloc(16), data)])],
    ['an AVIF with free space', Buffer.concat([avif(), box('free', data), box('skip', data)])],
    ['an AVIF with a description', avif(3, 2, { properties: [box('udes', Buffer.alloc(4), data)] })],
    ['an AVIF with a time', avif(3, 2, { properties: [box('crtt', Buffer.alloc(4), data)] })],
    ['an AVIF with user data of its items', avif(3, 2, { parts: [box('udta', data)] })],
    [
      'a sequence of AVIF with user data',
      Buffer.concat([
        avif(3, 2, { brand: 'avis' }),
        box('moov', box('trak', box('udta', data), box('meta', data)), box('udta', data), box('uuid', data)),
      ]),
    ],
  ];
}

describe('a published image', () => {
  it.each(telling)('says nothing but the picture: %s', (_, bytes) => {
    expect(bytes.includes(secret)).toBe(true);
    const published = clean(bytes);
    expect(published.includes(secret)).toBe(false);
    const { type, width, height } = readImageFile(published);
    expect(readImageFile(bytes)).toMatchObject({ type, width, height, size: published.length });
    expect(clean(published).equals(published)).toBe(true);
    expect(published.length).toBeLessThanOrEqual(bytes.length);
  });

  it.each(Object.entries(validImages))(
    'has the bytes that were sent if they are nothing but a picture: %s',
    (_, bytes) => {
      expect(clean(bytes).equals(bytes)).toBe(true);
    },
  );

  it.each<[string, Buffer, Buffer]>([
    ['a PNG', png(3, 2, [pngChunk('iCCP', profile)]), profile],
    ['a JPEG', jpeg(3, 2, [jpegSegment(0xe2, named('ICC_PROFILE\0\x01\x01', profile))]), profile],
    ['a GIF', inGif(extension(0xff, Buffer.from('ICCRGBG1012'), profile)), profile],
    ['a WebP', inWebp(webpChunk('EXIF', exif())), profile],
    ['an AVIF', avif(3, 2, { properties: [box('colr', Buffer.from('prof'), profile)] }), profile],
    [
      'a JPEG with the kind of its colours',
      jpeg(3, 2, [jpegSegment(0xee, named('Adobe\0d\0\0\0\0\x02'))]),
      Buffer.from('Adobe\0d'),
    ],
  ])('keeps its colours: %s', (_, bytes, kept) => {
    expect(clean(bytes).includes(kept)).toBe(true);
  });

  it.each<[string, Buffer, Buffer]>([
    [
      'the times a GIF runs',
      inGif(extension(0xff, Buffer.from('NETSCAPE2.0'), Buffer.from([1, 7, 0]))),
      Buffer.from('NETSCAPE2.0\x03\x01\x07'),
    ],
    ['the pauses of a GIF', gif(), Buffer.from([0x21, 0xf9, 4, 0, 10])],
    [
      'the frames of a PNG',
      png(3, 2, [
        pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 5])),
        pngChunk('fcTL', Buffer.alloc(26, 3)),
        pngChunk('fdAT', Buffer.alloc(9, 4)),
      ]),
      Buffer.alloc(9, 4),
    ],
    [
      'the times a WebP runs',
      riff([make.canvas(3, 2), webpChunk('ANIM', Buffer.alloc(6, 5)), make.webpFrame(3, 2)]),
      Buffer.alloc(6, 5),
    ],
    ['transparency', png(3, 2, [pngChunk('tRNS', Buffer.alloc(2, 9))]), Buffer.from('tRNS\x09\x09')],
    ['density', png(3, 2, [pngChunk('pHYs', Buffer.alloc(9, 8))]), Buffer.alloc(9, 8)],
  ])('keeps %s', (_, bytes, kept) => {
    expect(clean(bytes).includes(kept)).toBe(true);
  });

  const forms: readonly (readonly [string, (exif: Buffer) => Buffer, number])[] = [
    ['a JPEG', (exif) => jpeg(3, 2, [jpegSegment(0xe1, named('Exif\0\0', exif))]), jpeg().length + 36],
    ['a PNG', (exif) => png(3, 2, [pngChunk('eXIf', exif)]), png().length + 38],
    ['a WebP', (exif) => inWebp(webpChunk('EXIF', exif)), inWebp().length + 34],
  ];

  it.each(forms)('keeps how %s is turned, and nothing else of its Exif data', (_, form, length) => {
    for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
      for (const order of ['LE', 'BE'] as const) {
        const published = clean(form(exif(orientation, order)));
        const kept = Buffer.from(`4d4d002a0000000800010112000300000001000${orientation}000000000000`, 'hex');
        expect([published.length, published.includes(kept)]).toEqual([length, true]);
      }
    }
  });

  it.each(forms)('has no Exif data at all if %s is upright, or its data is broken', (_, form, length) => {
    const broken = [
      exif(0),
      exif(9),
      exif(6).subarray(0, 30),
      Buffer.alloc(0),
      Buffer.from('II*\0\xff\xff\xff\xff', 'latin1'),
      Buffer.from('MM\0*\0\0\0\x08\xff\xff', 'latin1'),
      Buffer.from('XX*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0', 'latin1'),
    ];
    for (const upright of [exif(1), exif(undefined, 'BE'), ...broken]) {
      const published = clean(form(upright));
      expect(published.length).toBeLessThan(length);
      expect(/exif/i.test(published.toString('latin1'))).toBe(false);
    }
  });

  it('says in the canvas of a WebP whether Exif data and XMP follow', () => {
    const flags = (bytes: Buffer) => clean(bytes).readUInt8(20);
    expect(flags(inWebp(webpChunk('EXIF', exif(6)), webpChunk('XMP ', data)))).toBe(0x28);
    expect(flags(inWebp(webpChunk('EXIF', exif()), webpChunk('XMP ', data)))).toBe(0x20);
    expect(flags(inWebp())).toBe(0x20);
  });

  it('keeps the pixels of an AVIF where its boxes say', () => {
    const pixels = Buffer.from('\x0a\x06\x18\x00\x36\x88\x10\x10', 'latin1');
    const sent = avif(3, 2, { data: pixels, second: { type: 'Exif', named: 'Exif\0', data }, unnamed: data });
    const published = clean(sent);
    expect([published.length, published.indexOf(pixels)]).toEqual([sent.length, sent.indexOf(pixels)]);
    expect(published.includes('Exif')).toBe(false);
  });
});
