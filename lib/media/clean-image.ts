import { crc32 } from 'node:zlib';
import {
  gifBlocks,
  gifControl,
  gifExtension,
  gifImage,
  gifScreenEnd,
  gifTrailer,
  isFrame,
  isGif,
  isJpeg,
  isPng,
  isWebp,
  jpegSegments,
  type Piece,
  pngChunks,
  webpChunks,
  webpSize,
} from '#lib/domain/files/picture.ts';

/**
 * Checks a file of one format from its first byte to its last, without decoding the picture, and leaves out everything
 * that is neither picture, nor colour, nor orientation (lib/spec/additions.md section 2).
 * @returns what is kept, or undefined for a broken file and for bytes after the format's end
 * @throws RangeError for a truncated file, SyntaxError for a broken one
 */
export type CleanFormat = (bytes: Buffer) => readonly Uint8Array[] | undefined;

const pieceOf = (bytes: Buffer, { start, end }: Piece): Buffer => bytes.subarray(start, end);
const dataOf = (bytes: Buffer, { data, dataEnd }: Piece): Buffer => bytes.subarray(data, dataEnd);
const beginsWith = (data: Buffer, text: string): boolean => data.toString('latin1', 0, text.length) === text;

/** Chunks that a reader must know, then colour, transparency, density and animation. */
const pngKept = new Set(
  'IHDR PLTE IDAT IEND cHRM cICP cLLI gAMA iCCP mDCV sBIT sRGB bKGD hIST pHYs sPLT tRNS acTL fcTL fdAT'.split(' '),
);

/** PNG: chunks from IHDR to IEND, with picture data in between. */
export const cleanPng: CleanFormat = (bytes) => {
  if (!isPng(bytes)) return undefined;
  const kept = [bytes.subarray(0, 8)];
  let hasData = false;
  for (const chunk of pngChunks(bytes)) {
    const { type, end } = chunk;
    const isKnown = pngKept.has(String(type));
    if ((chunk.start === 8) !== (type === 'IHDR') || !isSound(bytes, chunk, isKnown)) return undefined;
    if (type === 'IDAT') hasData = true;
    if (isKnown) kept.push(pieceOf(bytes, chunk));
    if (type === 'eXIf') kept.push(...orientationOnly(orientationIn(dataOf(bytes, chunk)), pngChunkOf));
    if (type === 'IEND') return chunk.data === chunk.dataEnd && hasData && end === bytes.length ? kept : undefined;
  }
  return undefined;
};

/** A chunk whose first letter is a capital must be known, and its checksum right. */
function isSound(bytes: Buffer, { type, start, data, dataEnd, end }: Piece, isKnown: boolean): boolean {
  if (end > bytes.length) return false;
  if (type === 'IHDR' && dataEnd - data !== 13) return false;
  if (!/^[A-Z]/.test(String(type))) return true;
  return isKnown && crc32(bytes.subarray(start + 4, dataEnd)) === bytes.readUInt32BE(dataEnd);
}

function pngChunkOf(tiff: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('eXIf'), tiff, Buffer.alloc(4)]);
  chunk.writeUInt32BE(tiff.length);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** Baseline, extended and progressive: the frames that browsers show. */
const shownFrames = new Set([0xc0, 0xc1, 0xc2]);
const startOfScan = 0xda;
const comment = 0xfe;
const isApplication = (type: number): boolean => type >= 0xe0 && type <= 0xef;

/**
 * JPEG: a frame and a scan among the segments. Cameras append further pictures, such as a preview, and announce them
 * (CIPA DC-007). They are left out.
 */
export const cleanJpeg: CleanFormat = (bytes) => {
  if (!isJpeg(bytes)) return undefined;
  const first = readJpeg(bytes, 0);
  for (let at = first?.end ?? bytes.length; at < bytes.length; ) {
    const further = first?.hasMore && isJpeg(bytes.subarray(at)) ? readJpeg(bytes, at) : undefined;
    if (!further) return undefined;
    at = further.end;
  }
  return first?.kept;
};

interface Jpeg {
  readonly kept: readonly Buffer[];
  readonly end: number;
  /** Whether it announces further pictures in the file. */
  readonly hasMore: boolean;
}

function readJpeg(bytes: Buffer, from: number): Jpeg | undefined {
  const kept = [bytes.subarray(from, from + 2)];
  let hasFrame = false;
  let hasScan = false;
  let hasMore = false;
  let end = from;
  for (const segment of jpegSegments(bytes, from)) {
    const { type } = segment;
    if (isFrame(type) && !shownFrames.has(type)) return undefined;
    hasFrame ||= isFrame(type);
    hasScan ||= type === startOfScan;
    hasMore ||= type === 0xe2 && beginsWith(dataOf(bytes, segment), 'MPF\0');
    if (isApplication(type)) kept.push(...keptOfApplication(type, dataOf(bytes, segment), pieceOf(bytes, segment)));
    else if (type !== comment) kept.push(pieceOf(bytes, segment));
    end = segment.end;
  }
  return hasFrame && hasScan && end <= bytes.length ? { kept, end, hasMore } : undefined;
}

/** Density without its thumbnail, colour profile, kind of colours, and the orientation. */
function keptOfApplication(type: number, data: Buffer, whole: Buffer): readonly Buffer[] {
  if (type === 0xe0 && beginsWith(data, 'JFIF\0') && data.length >= 14)
    return [Buffer.from([0xff, type, 0, 16]), data.subarray(0, 12), Buffer.alloc(2)];
  if (type === 0xe1 && beginsWith(data, 'Exif\0'))
    return orientationOnly(orientationIn(data.subarray(6)), jpegSegmentOf);
  if (type === 0xe2 && beginsWith(data, 'ICC_PROFILE\0')) return [whole];
  return type === 0xee && beginsWith(data, 'Adobe') && data.length === 12 ? [whole] : [];
}

const jpegSegmentOf = (tiff: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xe1, 0, tiff.length + 8]), Buffer.from('Exif\0\0'), tiff]);

/** Extensions of programs that say how often an animation runs, and which colours it has. */
const gifPrograms = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** GIF: a screen, then blocks with at least one picture, a trailer. */
export const cleanGif: CleanFormat = (bytes) => {
  if (!isGif(bytes)) return undefined;
  const kept = [bytes.subarray(0, gifScreenEnd(bytes))];
  let hasPicture = false;
  for (const block of gifBlocks(bytes)) {
    hasPicture ||= block.type === gifImage;
    if (block.type !== gifExtension || isKeptExtension(dataOf(bytes, block))) kept.push(pieceOf(bytes, block));
    if (block.type === gifTrailer) return hasPicture && block.end === bytes.length ? kept : undefined;
  }
  return undefined;
};

/** @param data the label of the extension, then its sub-blocks, each after its length */
const isKeptExtension = (data: Buffer): boolean =>
  data[0] === gifControl || (data[0] === 0xff && data[1] === 11 && gifPrograms.has(data.toString('latin1', 2, 13)));

const webpKept = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const exifFlag = 0x08;
const xmpFlag = 0x04;

/**
 * WebP: a RIFF file whose header has its size. It contains one picture, or a canvas (VP8X) with a picture or frames of
 * an animation.
 */
export const cleanWebp: CleanFormat = (bytes) => {
  if (!isWebp(bytes) || bytes.readUInt32LE(4) + 8 !== bytes.length) return undefined;
  const kept: Buffer[] = [];
  const sizes = new Map<Piece['type'], string>();
  let exif: readonly Buffer[] = [];
  for (const chunk of webpChunks(bytes)) {
    const { type, end } = chunk;
    if (end > bytes.length) return undefined;
    const size = webpSize(bytes, chunk);
    if ((type === 'VP8 ' || type === 'VP8L') && !size) return undefined;
    if (size && !sizes.has(type)) sizes.set(type, `${size.width} ${size.height}`);
    if (type === 'EXIF' && exif.length === 0) exif = orientationOnly(orientationIn(dataOf(bytes, chunk)), exifChunkOf);
    if (type === 'ANMF') sizes.set(type, '');
    if (webpKept.has(String(type)))
      kept.push(type === 'ANMF' ? cleanFrame(pieceOf(bytes, chunk)) : pieceOf(bytes, chunk));
  }
  const canvas = sizes.get('VP8X');
  const picture = sizes.get('VP8 ') ?? sizes.get('VP8L');
  const isShown = sizes.has('ANMF') ? canvas !== undefined : picture !== undefined && (canvas ?? picture) === picture;
  return isShown ? riffOf([...kept.map((chunk) => withFlags(chunk, exif.length > 0)), ...exif]) : undefined;
};

/** A frame of an animation is 16 bytes, then chunks of its own. */
function cleanFrame(frame: Buffer): Buffer {
  const length = 8 + frame.readUInt32LE(4);
  const chunks = [...webpChunks(frame.subarray(0, length), 24)].filter(({ type }) => webpKept.has(String(type)));
  const clean = Buffer.concat([frame.subarray(0, 24), ...chunks.map((chunk) => pieceOf(frame, chunk))]);
  clean.writeUInt32LE(clean.length - 8, 4);
  return clean;
}

/** The canvas says whether metadata follows. */
function withFlags(chunk: Buffer, hasExif: boolean): Buffer {
  if (!beginsWith(chunk, 'VP8X')) return chunk;
  const flagged = Buffer.from(chunk);
  flagged[8] = (chunk.readUInt8(8) & ~(exifFlag | xmpFlag)) | (hasExif ? exifFlag : 0);
  return flagged;
}

function exifChunkOf(tiff: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from('EXIF\0\0\0\0'), tiff]);
  chunk.writeUInt32LE(tiff.length, 4);
  return chunk;
}

function riffOf(chunks: readonly Buffer[]): readonly Buffer[] {
  const header = Buffer.from('RIFF\0\0\0\0WEBP');
  header.writeUInt32LE(
    chunks.reduce((sum, { length }) => sum + length, 4),
    4,
  );
  return [header, ...chunks];
}

const orientationTag = 0x0112;
const tiffs = { II: 'LE', MM: 'BE' } as const;

/**
 * The orientation in the first directory of Exif data: 2 to 8 for a picture that is shown turned or mirrored.
 * @param exif a TIFF, possibly after the name `Exif`
 * @returns 1 for an upright picture and for broken data
 */
function orientationIn(exif: Buffer): number {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
  const order = tiffs[tiff.toString('latin1', 0, 2) as keyof typeof tiffs];
  if (!order || tiff.length < 8) return 1;
  const short = (at: number) => (at + 2 <= tiff.length ? tiff[`readUInt16${order}`](at) : 0);
  const directory = tiff[`readUInt32${order}`](4);
  for (let entry = 0; entry < short(directory); entry++) {
    const at = directory + 2 + 12 * entry;
    if (at + 12 > tiff.length) return 1;
    const value = short(at + 8);
    if (short(at) === orientationTag) return value >= 2 && value <= 8 ? value : 1;
  }
  return 1;
}

/** Exif data with the orientation alone, in the form of a file; nothing for an upright picture. */
function orientationOnly(orientation: number, inForm: (tiff: Buffer) => Buffer): readonly Buffer[] {
  if (orientation === 1) return [];
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100000000000000 00'.replace(' ', ''), 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return [inForm(tiff)];
}
