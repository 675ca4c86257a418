import { picturePixelsMax, pixelsOf, readPicture } from '#lib/domain/files/picture.ts';

/** The URL of a file on the console's own origin, so that the browser sends the session cookie. */
export const assetAddress = (s3Key: string): string =>
  `/api/v1/connect/assets/${s3Key.split('/').map(encodeURIComponent).join('/')}`;

const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Whether browsers show a file of this type as a picture and never run it. */
export const isPicture = (type: string): boolean => pictures.has(type.split(';')[0]?.trim().toLowerCase() ?? '');

/**
 * The picture in the bytes of a file, if a browser may decode it (lib/spec/decisions.md section 6, "Pictures of files").
 * Anybody can send a small file with billions of pixels.
 */
export function pictureIn(bytes: Uint8Array<ArrayBuffer>): Blob | undefined {
  const picture = readPicture(bytes);
  if (!picture || pixelsOf(picture) > picturePixelsMax) return undefined;
  return new Blob([bytes], { type: picture.type });
}

const units = ['byte', 'kilobyte', 'megabyte'] as const;

/** A number of bytes for people: `12 kB`. */
export function sizeText(bytes: number, locale: string): string {
  const power = Math.min(units.length - 1, bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2);
  const format = {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  } as const;
  return new Intl.NumberFormat(locale, format).format(bytes / 1_000 ** power);
}

/** The maximum number of files in one request. */
const filesPerUpload = 5;

/** Splits files into groups of one request each. */
export function portionsOf<Item>(files: readonly Item[]): Item[][] {
  const count = Math.ceil(files.length / filesPerUpload);
  return Array.from({ length: count }, (_, index) => files.slice(index * filesPerUpload, (index + 1) * filesPerUpload));
}
