/**
 * Compares by code point (lib/spec/decisions.md section 4). JavaScript compares by UTF-16 unit, which puts the letters
 * beyond the basic plane before the last ones within it.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates belong to code points above all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** The beginning of a text, in whole characters, with at most `max` bytes in UTF-8. */
export const cutToBytes = (text: string, max: number): string =>
  // `stream` leaves out a character that was cut in half.
  new TextDecoder().decode(Buffer.from(text).subarray(0, max), { stream: true });

/** The beginning of a text, at most `max` code points. */
export const firstCodePoints = (text: string, max: number): string =>
  [...text.slice(0, 2 * max)].slice(0, max).join('');

/** True if a text has more than `max` code points. Its length in UTF-16 units decides most cases without a count. */
export const longerThan = (text: string, max: number): boolean =>
  text.length > 2 * max || (text.length > max && [...text].length > max);
