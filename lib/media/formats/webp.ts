import type { PictureSize, ReadFormat } from './size.ts';

const riffHeader = 12;
const chunkHeader = 8;

/**
 * WebP (RFC 9649): a RIFF file whose header has its size. It contains one picture, or a canvas (VP8X) with a picture or
 * frames of an animation.
 */
export const readWebp: ReadFormat = (bytes) => {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  if (bytes.readUInt32LE(4) + chunkHeader !== bytes.length) return undefined;
  let canvas: PictureSize | undefined;
  let picture: PictureSize | undefined;
  let hasFrame = false;
  for (let at = riffHeader; at < bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + chunkHeader, at + chunkHeader + length);
    if (data.length !== length) return undefined;
    if (type === 'VP8X') canvas ??= { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) };
    if (type === 'VP8 ' || type === 'VP8L') {
      picture ??= type === 'VP8 ' ? lossySize(data) : losslessSize(data);
      if (!picture) return undefined;
    }
    if (type === 'ANMF') hasFrame = true;
    // Chunks begin at even offsets.
    at += chunkHeader + length + (length % 2);
    if (at > bytes.length) return undefined;
  }
  if (!canvas) return picture;
  const isWhole = hasFrame || (picture?.width === canvas.width && picture.height === canvas.height);
  return isWhole ? canvas : undefined;
};

/** RFC 6386, 9.1: the first frame is a key frame, and its size is after its start code. */
function lossySize(data: Buffer): PictureSize | undefined {
  const isKeyFrame = (data.readUInt8(0) & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a;
  return isKeyFrame ? { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff } : undefined;
}

/** RFC 9649, 3.4: 14 bits each, and three of version 0. */
function losslessSize(data: Buffer): PictureSize | undefined {
  const bits = data.readUInt32LE(1);
  if (data.readUInt8(0) !== 0x2f || bits >>> 29 !== 0) return undefined;
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}
