import { emailAddress, emailPiece } from './email-address.ts';
import { trimmedText, typedText } from './typed-text.ts';

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

/** The form of a text that is an address or a number. */
export interface TextForm {
  /** The text in stored form, or undefined if it has another form. */
  readonly read: (text: string) => string | undefined;
  /** A part of such a text as stored texts have it. */
  readonly piece?: (text: string) => string;
  readonly message: string;
}

/** Browsers keep an apostrophe in paths, but pages may put addresses into attributes. */
export const serialised = (address: string): string => address.replaceAll("'", '%27');

/**
 * An absolute http or https address in stored form, as browsers serialise it: in ASCII, the host in lower case. The URL
 * parser drops line breaks and reads `https:a.co` as `https://a.co`, so both are refused first. `"`, `<` and `>` are
 * refused because pages put addresses into attributes.
 * @returns undefined for any other text
 */
const webAddress = (text: string): string | undefined => hrefOf(trimmedText(text));

export function hrefOf(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\p{Cc}"<>]+$/iu.test(text) || !text.isWellFormed()) return undefined;
  const href = URL.parse(text)?.href;
  return href === undefined ? undefined : serialised(href);
}

/** A part of an address as stored addresses have it. */
const webAddressPiece = (text: string): string =>
  serialised(text.toWellFormed().replaceAll(/[^\x20-\x7e]+/gu, encodeURIComponent));

/** The forms of CMS values, form answers and members of records (lib/spec/additions.md section 9). */
export const textForms = {
  email: {
    read: emailAddress,
    piece: emailPiece,
    message: 'Must be an e-mail address such as lina@example.com.',
  },
  url: {
    read: webAddress,
    piece: webAddressPiece,
    message: 'Must be a web address such as https://example.com/menu.',
  },
  phone: {
    read: phoneNumber,
    piece: typedText,
    message: 'Must be a phone number such as +966 50 000 0000, with at least 5 digits.',
  },
} as const satisfies Record<string, TextForm>;
