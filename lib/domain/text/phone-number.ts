import { typedText } from './typed-text.ts';

export const phoneCharactersMax = 40;
const digitsMin = 5;

const extension = /(?:ext\.?|x|#) *[0-9]{1,6}$/i;

/**
 * A phone number in stored form (lib/spec/additions.md section 9, "Phone numbers"): as typed, its digits in ASCII.
 * @returns undefined for any other text
 */
export function phoneNumber(text: string): string | undefined {
  const phone = typedText(text);
  if (phone.length > phoneCharactersMax) return undefined;
  const number = phone.replace(extension, '');
  return /^[0-9+()./ -]+$/.test(number) && phoneDigits(number).length >= digitsMin ? phone : undefined;
}

/** The digits of a stored number. Equal for numbers that differ in their spelling. */
export const phoneDigits = (phone: string): string => phone.replaceAll(/[^0-9]/g, '');
