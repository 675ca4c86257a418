import { asciiHost, isHostName } from './host-name.ts';
import { trimmedText } from './typed-text.ts';

const localPattern = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

export const emailCharactersMax = 254;

/**
 * An e-mail address in stored form (lib/spec/additions.md section 9, "E-mail addresses"): without blanks around it, its
 * domain in ASCII and lower case. Only ASCII before the `@`: mail to other addresses cannot be sent.
 * @returns undefined for any other text
 */
export function emailAddress(text: string): string | undefined {
  const { local, domain } = partsOf(trimmedText(text));
  if (domain.length > emailCharactersMax || local.length > 64 || !localPattern.test(local)) return undefined;
  const host = asciiHost(domain);
  const address = `${local}@${host}`;
  return host !== undefined && isHostName(host) && address.length <= emailCharactersMax ? address : undefined;
}

/** A part of an address as stored addresses have it. */
export function emailPiece(text: string): string {
  const { local, domain } = partsOf(text);
  if (/^[\0-\x7f]*$/.test(domain)) return text;
  const labels = domain.split('.').map((label) => (label === '' ? '' : (asciiHost(label) ?? label)));
  return (text.includes('@') ? `${local}@` : '') + labels.join('.');
}

/** The parts of an address around its last `@`. */
export function partsOf(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, Math.max(at, 0)), domain: address.slice(at + 1) };
}
