import { BlockList, isIP } from 'node:net';
import type { Issue } from '#lib/domain/input.ts';

// Where webhooks may go: lib/spec/additions.md section 5, "Addresses".

/** What the settings allow beside public addresses. */
export interface WebhookTargets {
  /** Also `http` and any port, for addresses of this machine. */
  readonly loopback: boolean;
  /** Whether a connection to this address, written as a number, may be made. */
  readonly allows: (address: string) => boolean;
}

type Range = readonly [network: string, prefix: number];

const listOf = (ranges: readonly Range[]): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, familyOf(network));
  return list;
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const holds = (list: BlockList, address: string): boolean => list.check(address, familyOf(address));

/** Ranges that a setting may allow: private, shared, and unique local addresses. No metadata service is at port 443. */
const privateRanges: readonly Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
];

/** IANA's registry of special-purpose IPv4 addresses, and everything above unicast. */
const specialIpv4 = listOf([
  ...privateRanges.filter(([network]) => isIP(network) === 4),
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);

/** The only IPv6 addresses that are given to sites. Those that hold an IPv4 address are outside, or special. */
const unicastIpv6 = listOf([['2000::', 3]]);
const specialIpv6 = listOf([
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]);

const loopback = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
]);

function isPublic(address: string): boolean {
  if (familyOf(address) === 'ipv4') return !holds(specialIpv4, address);
  return holds(unicastIpv6, address) && !holds(specialIpv6, address);
}

/** A range such as 10.1.0.0/16, if a setting may allow it. */
export function privateRange(text: string): Range | undefined {
  const [, network = '', digits = ''] = /^([0-9a-f.:]{2,39})\/(\d{1,3})$/i.exec(text) ?? [];
  const family = isIP(network);
  const prefix = Number(digits);
  if (family === 0 || prefix > (family === 4 ? 32 : 128)) return undefined;
  const isWithin = (range: Range) => isIP(range[0]) === family && range[1] <= prefix && holds(listOf([range]), network);
  return privateRanges.some(isWithin) ? [network, prefix] : undefined;
}

/**
 * What the environment allows: `WEBHOOK_LOOPBACK`, which the local run sets, and the ranges of
 * `WEBHOOK_PRIVATE_TARGETS`, separated by commas.
 * @throws for a range that no setting may allow
 */
export function webhookTargets(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): WebhookTargets {
  const isLocal = environment['WEBHOOK_LOOPBACK'] === 'on';
  const texts = (environment['WEBHOOK_PRIVATE_TARGETS'] || undefined)?.split(',') ?? [];
  const ranges = texts.map((text): Range => {
    const range = privateRange(text);
    if (!range) throw new Error(`WEBHOOK_PRIVATE_TARGETS: ${text} is no range of private addresses.`);
    return range;
  });
  const own = listOf(ranges);
  const allows = (address: string): boolean => {
    // A zone names a network interface, which only link-local addresses need.
    if (isIP(address) === 0 || address.includes('%')) return false;
    return isPublic(address) || holds(own, address) || (isLocal && holds(loopback, address));
  };
  return { loopback: isLocal, allows };
}

const lengthMax = 2_048;
/** The parser drops line breaks, and reads `https:a`, `https:\\a` and `https:///a` as `https://a`. */
const form = /^https?:\/\/(?!\/)[^\s\p{Cc}\\]+$/iu;

/** The host of an address, if it is written as a number. The parser has made it decimal, or hexadecimal in IPv6. */
export function numericHost({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

/** What is wrong with the address of a webhook. A name is resolved, and checked, only when a connection is made. */
export function urlFault(text: string, targets = webhookTargets()): Pick<Issue, 'code' | 'message'> | undefined {
  if (text.length > lengthMax) {
    return { code: 'max_length', message: `Must be at most ${lengthMax} characters.` };
  }
  const url = form.test(text) && text.isWellFormed() ? URL.parse(text) : null;
  if (!url) return { code: 'format', message: 'Must be an address such as https://example.com/hook.' };
  const message = refusalOf(url, text, targets);
  return message === undefined ? undefined : { code: 'not_allowed', message };
}

function refusalOf(url: URL, text: string, { loopback: isLocal, allows }: WebhookTargets): string | undefined {
  if (url.username !== '' || url.password !== '') return 'Must not contain a user name or a password.';
  if (text.includes('#')) return 'Must not contain a fragment.';
  const number = numericHost(url);
  if (number !== undefined && !allows(number)) return 'Must not be a loopback, private or other special address.';
  if (isLocal && (number === undefined ? url.hostname === 'localhost' : holds(loopback, number))) return undefined;
  if (url.protocol !== 'https:') return 'Must begin with https://.';
  return url.port === '' || url.port === '8443' ? undefined : 'Must have the port 443 or 8443.';
}
