/// <reference path="./punycode.d.ts" />
import punycode from 'punycode/punycode.js';
import { partsOf } from './email-address.ts';
import { asciiHost } from './host-name.ts';

const scriptsOfLookAlikes = [/\p{sc=Latin}/u, /\p{sc=Cyrillic}/u, /\p{sc=Greek}/u, /\p{sc=Armenian}/u];

/**
 * A stored address as people read it, its domain in Unicode. A label that mixes scripts with letters of one shape stays
 * as it is stored, because it may imitate another.
 */
export function shownEmail(stored: string): string {
  const { local, domain } = partsOf(stored);
  return domain.includes('xn--') ? `${local}@${domain.split('.').map(shownLabel).join('.')}` : stored;
}

function shownLabel(label: string): string {
  try {
    const shown = punycode.toUnicode(label);
    const scripts = scriptsOfLookAlikes.filter((script) => script.test(shown));
    return scripts.length > 1 || asciiHost(shown) !== label ? label : shown;
  } catch {
    return label;
  }
}
