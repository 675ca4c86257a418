import { readAvif } from './formats/avif.ts';
import { readGif } from './formats/gif.ts';
import { readJpeg } from './formats/jpeg.ts';
import { readPng } from './formats/png.ts';
import type { PictureSize, ReadFormat } from './formats/size.ts';
import { readWebp } from './formats/webp.ts';

/** The largest side of a public image in pixels (lib/spec/additions.md section 2). */
const pixelsMax = 16_384;

/** The format of a file by its content. */
export interface ImageFile extends PictureSize {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif';
}

const formats: Readonly<Record<ImageFile['type'], ReadFormat>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/gif': readGif,
  'image/webp': readWebp,
  'image/avif': readAvif,
};

/**
 * Checks that a file is exactly one image (lib/spec/additions.md section 2). It must be complete, in one of five
 * formats, without data after its end. Each side has 1 to 16,384 pixels. A picture is never decoded.
 * @returns undefined for every other file
 */
export function readImageFile(bytes: Buffer): ImageFile | undefined {
  for (const [type, read] of Object.entries(formats)) {
    const size = attempt(read, bytes);
    if (size) return isShowable(size) ? { type: type as ImageFile['type'], ...size } : undefined;
  }
  return undefined;
}

/** A read past the end means that the file is cut off. */
function attempt(read: ReadFormat, bytes: Buffer): PictureSize | undefined {
  try {
    return read(bytes);
  } catch (error) {
    // Compares the name, because buffers may throw an error of another realm.
    if ((error as Error).name === 'RangeError') return undefined;
    throw error;
  }
}

const isShowable = ({ width, height }: PictureSize): boolean =>
  [width, height].every((pixels) => pixels >= 1 && pixels <= pixelsMax);
