/** No writing has so many marks after one letter. */
const marksMax = 100;

/** Marks, and the two letters that become marks. */
const mark = String.raw`\p{M}\uff9e\uff9f`;
const marks = new RegExp(`[${mark}]+`, 'gu');
const piece = new RegExp(`[^${mark}]*[${mark}]{0,${marksMax}}`, 'gu');

/**
 * A text in a normal form of Unicode. The engine takes quadratic time for the marks after a letter: half a megabyte of
 * them would take minutes. So the pieces of a text with too many are normalized one by one.
 */
export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string {
  const isOrdinary = text.length <= marksMax || !text.match(marks)?.some(({ length }) => length > marksMax);
  return isOrdinary ? text.normalize(form) : text.replace(piece, (part) => part.normalize(form));
}
