/** The size of a picture in pixels, from its file. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads a file of one format from its first byte to its last, without decoding the picture. A read past the end throws
 * a RangeError, which image-file.ts treats as a truncated file.
 * @returns undefined for another format, a broken file, or bytes after the format's end
 */
export type ReadFormat = (bytes: Buffer) => PictureSize | undefined;
