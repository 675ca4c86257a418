import { normaliseHost } from '#lib/domain/messaging/channel.ts';

/** Replaces a foreign link in a reply. It needs no translation. */
export const removedLink = '[…]';

/** A character of a link. Any other character ends the link, in Arabic and Chinese, too. */
const part = String.raw`[^\s<>"'\x60()\[\]{}\\|،؛؟，。！？、；：）】」』«»“”]`;

/**
 * A URL with a scheme, or an address that begins with `www.`. A bare host name is text, because `menu.pdf` looks the
 * same.
 */
const link = new RegExp(String.raw`https?:\/\/${part}+|(?<![A-Za-z0-9])www\.${part}+`, 'giu');
const partOnly = new RegExp(`^${part}$`, 'u');
/** The end of a text that may go on as a link. */
const mayGoOn = /https?:\/\/|www\.|(?<![A-Za-z0-9])(?:h|ht|htt|https?|https?:\/?|w|ww|www)$/i;
const punctuation = /[.,;:!?*_~-]+$/;

/** The number of hosts that are looked up in a reply; the links of others are removed. */
const lookUpsMax = 20;

/** A longer link is checked before its end. */
const heldMax = 2_000;

/**
 * Removes links from a reply, except links in its sources and links to websites of the workspace. Visitors and editors
 * can make a model write any text, but customers trust a link in the workspace's name. Text without anything like a
 * link passes immediately.
 */
export class ReplyLinks {
  readonly #isOwnHost: (host: string) => Promise<boolean>;
  readonly #allowed = new Set<string>();
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
  }

  /** @returns the text that can be sent now */
  push(piece: string): Promise<string> {
    return this.#pass(this.#held + piece, false);
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
    for (const { 0: found, index } of text.matchAll(link)) {
      const address = found.replace(punctuation, '');
      const end = index + address.length;
      if (end <= position || (await this.#isAllowed(address))) continue;
      judged += text.slice(position, Math.max(index, position)) + removedLink;
      position = end;
    }
    return judged + text.slice(position);
  }

  async #isAllowed(address: string): Promise<boolean> {
    if (this.#allowed.has(spellingOf(address))) return true;
    const host = normaliseHost(address);
    if (host === undefined) return false;
    if (!this.#hosts.has(host) && this.#hosts.size < lookUpsMax) this.#hosts.set(host, this.#isOwnHost(host));
    return (await this.#hosts.get(host)) ?? false;
  }
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
