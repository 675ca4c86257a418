/** Parses bytes from `start` to `end` (exclusive). @returns the position where it stopped, or -1 for invalid bytes */
type Push = (chunk: Uint8Array, start: number, end: number) => number;

/** U+0080 in UTF-8. */
const replacement = Buffer.from([0xc2, 0x80]);

/** The replacement of a control character as the parser reports it: one character per byte. */
export const controlReplacement = replacement.toString('latin1');

/** More than any file system allows in a name. The bound limits CPU time, since each costs more than other bytes. */
const controlsMax = 1_000;

/**
 * Makes a header parser accept control characters, which browsers send unescaped in file names. Each is replaced by
 * U+0080, which the parser accepts only inside quotes and which is removed from names. Carriage returns and line feeds
 * still end lines.
 * @param isOpen whether the header continues; bytes after it stay unchanged
 */
export function withControlCharacters(push: Push, isOpen: () => boolean): Push {
  let controls = 0;
  return (chunk, start, end) => {
    let position = start;
    for (;;) {
      const control = controls < controlsMax ? indexOfControl(chunk, position, end) : end;
      position = push(chunk, position, control);
      if (!isOpen()) controls = 0;
      if (position === -1 || !isOpen() || control === end) return position;
      if (push(replacement, 0, replacement.length) === -1) return -1;
      position = control + 1;
      controls++;
    }
  };
}

function indexOfControl(chunk: Uint8Array, start: number, end: number): number {
  for (let index = start; index < end; index++) if (isControl(chunk[index] as number)) return index;
  return end;
}

const isControl = (byte: number): boolean =>
  byte < 0x20 ? byte !== 0x09 && byte !== 0x0a && byte !== 0x0d : byte === 0x7f;
