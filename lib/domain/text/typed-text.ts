import { asciiDigits } from './digits.ts';

const bidiControls = /\p{Bidi_C}/gu;
const ascii = /^[\x20-\x7e]*$/;

/**
 * A number, a phone number or a moment as a person typed or pasted it, in ASCII (lib/spec/additions.md section 9, "Phone
 * numbers"): digits of any script, full-width forms, other blanks, hyphens and minus signs. Without bidi controls, and
 * without blanks around it.
 */
export function typedText(text: string): string {
  if (ascii.test(text)) return text.trim();
  return asciiDigits(text)
    .replaceAll(bidiControls, '')
    .replaceAll(/[\uff01-\uff5e]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\u2010\u2011\u2212]/g, '-')
    .replaceAll(/\p{Zs}/gu, ' ')
    .trim();
}

const outer = /[\s\p{Bidi_C}]/u;

/** A text without blanks and bidi controls around it, which copying adds. */
export const trimmedText = (text: string): string => withoutAround(text, outer);

/** Removes characters at both ends. An expression for the end would take quadratic time. */
export function withoutAround(text: string, character: RegExp): string {
  let start = 0;
  let end = text.length;
  while (start < end && character.test(text.charAt(start))) start++;
  while (end > start && character.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
