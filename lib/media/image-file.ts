import { isBroken, isCutOff, picturePixelsMax, pixelsOf, readPicture } from '#lib/domain/files/picture.ts';
import { readAvif } from './avif.ts';
import { type CleanFormat, cleanGif, cleanJpeg, cleanPng, cleanWebp } from './clean-image.ts';
import { notAnImage, tooManyPixels } from './refusals.ts';

/** The largest side of a public image in pixels (lib/spec/additions.md section 2). */
const sideMax = 16_384;

/** An image as it is published. */
export interface ImageFile {
  /** By its content. */
  readonly type: string;
  readonly width: number;
  readonly height: number;
  /** Without metadata. */
  readonly bytes: readonly Uint8Array[];
  readonly size: number;
}

interface Measured extends Omit<ImageFile, 'size'> {
  /** The pixels to decode, of all frames. */
  readonly pixels: number;
}

const cleanFormats: Readonly<Record<string, CleanFormat>> = {
  'image/png': cleanPng,
  'image/jpeg': cleanJpeg,
  'image/gif': cleanGif,
  'image/webp': cleanWebp,
};

/**
 * Checks that a file is exactly one image, and takes its metadata out (lib/spec/additions.md section 2). It must be
 * complete, in one of five formats, without data after its end. A picture is never decoded.
 * @throws 400 for every other file
 */
export function readImageFile(sent: Buffer): ImageFile {
  const image = readWhole(sent);
  if (!image || [image.width, image.height].some((side) => side < 1 || side > sideMax)) throw notAnImage();
  const { pixels, ...file } = image;
  if (pixels > picturePixelsMax) throw tooManyPixels();
  return { ...file, size: file.bytes.reduce((sum, { length }) => sum + length, 0) };
}

function readWhole(sent: Buffer): Measured | undefined {
  const picture = readPicture(sent);
  try {
    if (picture) {
      const bytes = cleanFormats[picture.type]?.(sent);
      return bytes && { ...picture, pixels: pixelsOf(picture), bytes };
    }
    const avif = readAvif(sent);
    return avif && { ...avif, type: 'image/avif' };
  } catch (error) {
    if (isBroken(error) || isCutOff(error)) return undefined;
    throw error;
  }
}
