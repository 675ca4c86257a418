const orientationTag = 0x0112;
const tiffs = { II: 'LE', MM: 'BE' } as const;

/**
 * The orientation in the first directory of Exif data: 2 to 8 for a picture that is shown turned or mirrored.
 * @param exif a TIFF, possibly after the name `Exif`
 * @returns 1 for an upright picture and for broken data
 */
export function orientationIn(exif: Buffer): number {
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
export function orientationOnly(orientation: number, inForm: (tiff: Buffer) => Buffer): readonly Buffer[] {
  if (orientation === 1) return [];
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100000000000000 00'.replace(' ', ''), 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return [inForm(tiff)];
}
