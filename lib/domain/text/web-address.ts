import { trimmedText } from './typed-text.ts';

/** Browsers keep an apostrophe in paths, but pages may put addresses into attributes. */
const serialised = (address: string): string => address.replaceAll("'", '%27');

/**
 * An absolute http or https address in stored form, as browsers serialise it: in ASCII, the host in lower case. The URL
 * parser drops line breaks and reads `https:a.co` as `https://a.co`, so both are refused first. `"`, `<` and `>` are
 * refused because pages put addresses into attributes.
 * @returns undefined for any other text
 */
export const webAddress = (text: string): string | undefined => hrefOf(trimmedText(text));

function hrefOf(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\p{Cc}"<>]+$/iu.test(text) || !text.isWellFormed()) return undefined;
  const href = URL.parse(text)?.href;
  return href === undefined ? undefined : serialised(href);
}

/** Two slashes would name another site, and browsers read a backslash as a slash. */
const pathPattern = /^\/(?!\/)[^\s\p{Cc}\\"<>]*$/u;

/** The address of an image in stored form: http, https, or a path on the reader's own site. It is not trimmed. */
export function imageAddress(text: string): string | undefined {
  if (!pathPattern.test(text) || !text.isWellFormed()) return hrefOf(text);
  const url = URL.parse(text, 'https://own.invalid');
  const path = url ? serialised(url.pathname + url.search + url.hash) : '';
  return pathPattern.test(path) ? path : undefined;
}

/** A part of an address as stored addresses have it. */
export const webAddressPiece = (text: string): string =>
  serialised(text.toWellFormed().replaceAll(/[^\x20-\x7e]+/gu, encodeURIComponent));
