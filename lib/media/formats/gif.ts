import type { ReadFormat } from './size.ts';

const screenLength = 13;
const extension = 0x21;
const image = 0x2c;
const trailer = 0x3b;

/** GIF (https://www.w3.org/Graphics/GIF/spec-gif89a.txt): a screen, then blocks with at least one picture, a trailer. */
export const readGif: ReadFormat = (bytes) => {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let hasPicture = false;
  for (let at = screenLength + tableLength(bytes.readUInt8(10)); ; ) {
    const block = bytes.readUInt8(at);
    if (block === trailer) return hasPicture && at + 1 === bytes.length ? size : undefined;
    if (block === extension) at = afterSubBlocks(bytes, at + 2);
    else if (block === image) {
      hasPicture = true;
      // Position, size, flags, a local colour table, and the code size before the data.
      at = afterSubBlocks(bytes, at + 11 + tableLength(bytes.readUInt8(at + 9)));
    } else return undefined;
  }
};

/** The size of the colour table in the flags, in bytes. */
const tableLength = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Each sub-block starts with its length; a length of zero ends them. */
function afterSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += 1 + length;
  return at + 1;
}
