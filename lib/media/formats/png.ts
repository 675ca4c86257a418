import { crc32 } from 'node:zlib';
import type { PictureSize, ReadFormat } from './size.ts';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length, type and checksum around the data of a chunk. */
const aroundData = 12;
const headerLength = 13;

/** PNG (https://www.w3.org/TR/png-3): chunks from IHDR to IEND, with picture data in between. */
export const readPng: ReadFormat = (bytes) => {
  if (!bytes.subarray(0, signature.length).equals(signature)) return undefined;
  let size: PictureSize | undefined;
  let hasData = false;
  for (let at = signature.length; ; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + aroundData + length;
    const isSound = end <= bytes.length && (!isCritical(type) || hasChecksum(bytes, at + 4, end - 4));
    const isFirst = at === signature.length;
    if (!isSound || isFirst !== (type === 'IHDR')) return undefined;
    if (isFirst) {
      if (length !== headerLength) return undefined;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === 'IDAT') hasData = true;
    if (type === 'IEND') return length === 0 && hasData && end === bytes.length ? size : undefined;
    at = end;
  }
};

/** A chunk that a reader must not skip: its first letter is a capital. */
const isCritical = (type: string): boolean => /^[A-Z]/.test(type);

const hasChecksum = (bytes: Buffer, from: number, to: number): boolean =>
  crc32(bytes.subarray(from, to)) === bytes.readUInt32BE(to);
