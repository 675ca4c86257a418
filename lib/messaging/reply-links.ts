import { normaliseHost } from '#lib/domain/messaging/channel.ts';
import { phoneDigits } from '#lib/domain/text/text-forms.ts';

/** Replaces a foreign link in a reply. It needs no translation. */
export const removedLink = '[…]';

/** A character of a link. Any other character ends the link, in Arabic and Chinese, too. */
const part = String.raw`[^\s<>"'\x60()\[\]{}\\|،؛؟，。！？、；：）】」』«»“”]`;

/** Schemes that work without slashes. Any scheme works with them. */
const schemes =
  'mailto|tel|sms|smsto|mms|mmsto|callto|sips?|facetime|facetime-audio|skype|whatsapp|viber|tg|javascript|vbscript|blob|view-source|intent|market|bitcoin';
const word = String.raw`\p{L}\p{M}\p{N}`;
const path = String.raw`(?::[0-9]{1,5})?(?:\/|[?#][\p{L}\p{N}%&=_])`;

/**
 * What programs make a link of: any scheme with slashes, a scheme of the list, an address that begins with `//` or
 * `www.`, and a host or an IP address with a path, a port or a query. A host name alone is text, because `menu.pdf` looks
 * the same. No alternative begins inside of a word, so that the time is linear.
 */
const link = new RegExp(
  [
    String.raw`(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/(?:\[[0-9a-f:.]+\])?${part}*`,
    `(?<![a-z0-9])(?:${schemes}):${part}+`,
    String.raw`(?<![a-z0-9])data:[a-z]+\/${part}+`,
    String.raw`(?<![a-z0-9/])\/{2,}(?:\[[0-9a-f:.]+\]|[^\s/])${part}*`,
    String.raw`(?<![A-Za-z0-9])www\.${part}+`,
    String.raw`(?<![${word}._-])(?<bare>[${word}._-]*[${word}]\.(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)\.?${path}${part}*)`,
    String.raw`(?<![0-9]|[0-9]\.)(?:[0-9]{1,3}\.){3}[0-9]{1,3}${path}${part}*`,
  ].join('|'),
  'giu',
);
const partOnly = new RegExp(`^${part}$`, 'u');
/** The end of a text that may go on as a link. */
const mayGoOn = new RegExp(
  [
    String.raw`\/\/|www\.|(?<![A-Za-z0-9])(?:h|ht|htt|https?|https?:\/?|w|ww|www)$`,
    `(?<![a-z0-9])(?:${schemes}|data):`,
    String.raw`[\p{L}\p{N}]\.\p{L}`,
    String.raw`(?:[0-9]{1,3}\.){3}`,
  ].join('|'),
  'iu',
);
const punctuation = /[.,;:!?*_~-]+$/;
/** Files, which are no hosts: their ends are no top-level domains. */
const fileName =
  /^[^/?#:]*\.(?:pdf|docx?|xlsx?|pptx?|csv|txt|jpe?g|png|gif|webp|svg|html?|json|xml|css|js|ts)\/[^/?#:]*$/i;
/** Words before a bare host that no blank separates, such as `Done...`. */
const lead = /^(?:[^/?#:]*\.\.)?[._-]*/;
const contacts = /[^\s<>"'()[\]{},;:]{1,64}@[^\s<>"'()[\]{},;:]{1,255}|\+?[0-9(][0-9 ()./-]{3,38}[0-9]/g;
const contactScheme = /^(?:mailto|tel|sms|smsto|callto|whatsapp):(?!\/\/)([^?]*)/i;
const webScheme = /^https?:\/\//i;
const anyScheme = new RegExp(String.raw`^(?:[^/?#]*:\/\/|(?:${schemes}|data):)`, 'i');

/** Control characters that a message must not contain. Line breaks and tabs are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove.
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** The number of hosts that are looked up in a reply; the links of others are removed. */
const lookUpsMax = 20;

/** A longer link is checked before its end. */
const heldMax = 2_000;

/**
 * Removes control characters and links from a reply, except links in its sources and links to websites of the workspace. Visitors and editors
 * can make a model write any text, but customers trust a link in the workspace's name. Text without anything like a
 * link passes immediately.
 */
export class ReplyLinks {
  readonly #isOwnHost: (host: string) => Promise<boolean>;
  readonly #allowed = new Set<string>();
  /** E-mail addresses, and the digits of phone numbers. */
  readonly #contacts = new Set<string>();
  readonly #hosts = new Map<string, Promise<boolean>>();
  /** The last word of the text that was passed on. */
  #sent = '';
  #held = '';

  /** @param isOwnHost whether a website of the workspace has this normalised host */
  constructor(isOwnHost: (host: string) => Promise<boolean>) {
    this.#isOwnHost = isOwnHost;
  }

  /** Allows the links of a text that the workspace itself has written. */
  allow(text: string): void {
    for (const [url] of text.matchAll(link)) this.#allowed.add(spellingOf(url.replace(punctuation, '')));
    for (const [contact] of text.matchAll(contacts)) this.#contacts.add(contactOf(contact));
  }

  /** @returns the text that can be sent now */
  push(piece: string): Promise<string> {
    return this.#pass(this.#held + piece.replace(controls, ''), false);
  }

  /** @returns the rest */
  end(): Promise<string> {
    return this.#pass(this.#held, true);
  }

  async #pass(text: string, isEnd: boolean): Promise<string> {
    const from = this.#sent.length;
    const all = this.#sent + text;
    const word = startOfLastWord(all);
    const isOpen = !isEnd && all.length - word < heldMax && mayGoOn.test(all.slice(word));
    const until = isOpen ? Math.max(word, from) : all.length;
    const passed = await this.#judged(all.slice(0, until), from);
    this.#held = all.slice(until);
    this.#sent = all.slice(Math.min(word, until), until).slice(-heldMax);
    return passed;
  }

  /** The text from this position on, without disallowed links. */
  async #judged(text: string, from: number): Promise<string> {
    let judged = '';
    let position = from;
    for (const { 0: found, groups, index: start } of text.matchAll(link)) {
      const index = start + (groups?.['bare'] === undefined ? 0 : (lead.exec(found)?.[0].length ?? 0));
      const address = text.slice(index, start + found.length).replace(punctuation, '');
      const end = index + address.length;
      if (end <= position || (await this.#isAllowed(address))) continue;
      judged += text.slice(position, Math.max(index, position)) + removedLink;
      position = end;
    }
    return judged + text.slice(position);
  }

  async #isAllowed(address: string): Promise<boolean> {
    if (this.#allowed.has(spellingOf(address)) || fileName.test(address)) return true;
    const [, contact] = contactScheme.exec(address) ?? [];
    if (contact !== undefined) return this.#contacts.has(contactOf(contact));
    // Another scheme could run a script at an own host.
    if (anyScheme.test(address) && !webScheme.test(address)) return false;
    const host = normaliseHost(address);
    if (host === undefined) return false;
    if (!this.#hosts.has(host) && this.#hosts.size < lookUpsMax) this.#hosts.set(host, this.#isOwnHost(host));
    return (await this.#hosts.get(host)) ?? false;
  }
}

/** An e-mail address in lower case, or the digits of a phone number. */
function contactOf(text: string): string {
  if (text.includes('@')) return text.replace(punctuation, '').toLowerCase();
  return phoneDigits(text);
}

/** The start of the run of link characters at the end of a text. */
function startOfLastWord(text: string): number {
  let start = text.length;
  while (start > 0 && partOnly.test(text[start - 1] ?? '')) start--;
  return start;
}

/** A link without scheme, `www.` and slash at its end, its host in lower case. */
function spellingOf(address: string): string {
  const bare = address.replace(/^https?:\/\//i, '').replace(/^www\./i, '');
  const [, host = '', rest = ''] = /^([^/?#]*)(.*)$/s.exec(bare) ?? [];
  return host.toLowerCase() + rest.replace(/\/$/, '');
}
