import type { PictureSize, ReadFormat } from './size.ts';

const startOfImage = 0xffd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const secondApplication = 0xe2;

/** Baseline, extended and progressive: the kinds that browsers show. */
const frames = new Set([0xc0, 0xc1, 0xc2]);
/** The other kinds of frames: lossless, hierarchical, arithmetic. */
const otherFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/**
 * JPEG (ITU-T T.81, annex B): segments from SOI to EOI, a frame and a scan among them. Cameras append further pictures,
 * such as a preview, and announce them (CIPA DC-007). The file ends with the last one.
 */
export const readJpeg: ReadFormat = (bytes) => {
  const first = readPicture(bytes, 0);
  if (!first) return undefined;
  for (let at = first.end; at < bytes.length; ) {
    const further = first.hasMore ? readPicture(bytes, at) : undefined;
    if (!further) return undefined;
    at = further.end;
  }
  return first.size;
};

interface Picture {
  readonly size: PictureSize;
  readonly end: number;
  /** Whether it announces further pictures in the file. */
  readonly hasMore: boolean;
}

function readPicture(bytes: Buffer, from: number): Picture | undefined {
  if (bytes.readUInt16BE(from) !== startOfImage) return undefined;
  let size: PictureSize | undefined;
  let hasMore = false;
  let hasScan = false;
  for (let at = from + 2; ; ) {
    const marker = markerAt(bytes, at);
    if (!marker || otherFrames.has(marker.code)) return undefined;
    const { code, end } = marker;
    if (code === endOfImage) return size && hasScan ? { size, end, hasMore } : undefined;
    const length = bytes.readUInt16BE(end);
    if (length < 2 || end + length > bytes.length) return undefined;
    if (frames.has(code)) size ??= { width: bytes.readUInt16BE(end + 5), height: bytes.readUInt16BE(end + 3) };
    if (code === secondApplication) hasMore ||= bytes.toString('latin1', end + 2, end + 6) === 'MPF\0';
    at = end + length;
    if (code !== startOfScan) continue;
    hasScan = true;
    at = afterScan(bytes, at);
  }
}

/** A marker: one or several 0xff bytes, then its code. Between segments, only EOI is a marker without a segment. */
function markerAt(bytes: Buffer, from: number): { readonly code: number; readonly end: number } | undefined {
  if (bytes.readUInt8(from) !== 0xff) return undefined;
  let at = from + 1;
  while (bytes.readUInt8(at) === 0xff) at++;
  const code = bytes.readUInt8(at);
  const hasSegment = code >= 0xc0 && !(code >= 0xd0 && code <= 0xd8);
  return hasSegment ? { code, end: at + 1 } : undefined;
}

/** The picture data ends at the next marker that is neither a stuffed 0xff nor a restart. */
function afterScan(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const code = bytes.readUInt8(at + 1);
    const isData = code === 0 || code === 0xff || (code >= 0xd0 && code <= 0xd7);
    if (!isData) return at;
  }
  throw new RangeError('The scan has no end.');
}
