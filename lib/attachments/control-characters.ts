/** Takes bytes from `start` up to `end`. @returns where it has stopped, or -1 when it refuses them */
type Push = (chunk: Uint8Array, start: number, end: number) => number;

/** U+0080 in UTF-8. */
const standIn = Buffer.from([0xc2, 0x80]);

/** What stands for control characters in a header, as the parser tells it: a character a byte. */
export const controlStandIn = standIn.toString('latin1');

/** More than any file system lets into a name; each costs more time than other bytes. */
const controlsMax = 1_000;

/**
 * Lets control characters into a parser of headers that would refuse them, since browsers send those of a file's name
 * as they are. Each is handed over as another one, which counts for no more: it is dropped from names too, and belongs
 * nowhere but between quotes. Carriage returns and line feeds remain ends of lines.
 * @param isOpen whether the header goes on; what follows it is left alone
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
      if (push(standIn, 0, standIn.length) === -1) return -1;
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
