import { describe, expect, it } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { urlFault, webhookTargets } from '#lib/webhooks/addresses.ts';
import { hostileForms, hostileHosts, noAddresses, usableAddresses } from '#test/support/corpus/hostile-addresses.ts';

const deployed = webhookTargets({});
const local = webhookTargets({ WEBHOOK_LOOPBACK: 'on' });
const codeOf = (url: string, targets = deployed) => urlFault(url, targets)?.code;
const faults = (urls: readonly string[], targets = deployed) => urls.map((url) => [url, codeOf(url, targets)]);
const all = (urls: readonly string[], code: string | undefined) => urls.map((url) => [url, code]);

describe('the address of a webhook', () => {
  it('names no address of a private network or of no site, however it is written', () => {
    const urls = hostileHosts.flatMap((host) => [`https://${host}/hook`, `https://${host}:8443`]);
    expect(faults(urls)).toEqual(all(urls, 'not_allowed'));
  });

  it('has https, the port 443 or 8443, no credentials and no fragment', () => {
    expect(faults(hostileForms)).toEqual(all(hostileForms, 'not_allowed'));
  });

  it('is an address', () => {
    expect(faults(noAddresses)).toEqual(all(noAddresses, 'format'));
  });

  it('may be any other, names included, which are checked at each connection', () => {
    const names = ['https://localhost/', 'https://metadata.google.internal/', 'https://db.internal:8443/'];
    expect(faults([...usableAddresses, ...names])).toEqual(all([...usableAddresses, ...names], undefined));
  });

  it('has at most 2,048 characters', () => {
    const begin = 'https://example.com/';
    expect(codeOf(begin.padEnd(2_048, 'a'))).toBeUndefined();
    expect(codeOf(begin.padEnd(2_049, 'a'))).toBe('max_length');
  });
});

describe('the local run', () => {
  it('allows http and any port on this machine', () => {
    const urls = [
      'http://127.0.0.1:4000/hook',
      'http://localhost/',
      'http://[::1]:1/',
      'https://127.8.9.1:9',
      'http://0x7f.1',
    ];
    expect(faults(urls, local)).toEqual(all(urls, undefined));
    expect(faults(usableAddresses, local)).toEqual(all(usableAddresses, undefined));
  });

  it('allows nothing else', () => {
    const isLoopback = (host: string) => local.allows(new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, ''));
    const others = hostileHosts.filter((host) => !isLoopback(host)).map((host) => `http://${host}:4000/`);
    const remote = hostileForms.filter((url) => !url.includes('localhost'));
    expect(others.length).toBeGreaterThan(50);
    expect(faults([...others, ...remote], local)).toEqual(all([...others, ...remote], 'not_allowed'));
    expect(codeOf('http://owner@localhost:4000/', local)).toBe('not_allowed');
  });
});

describe('the setting of private targets', () => {
  const targets = webhookTargets({ WEBHOOK_PRIVATE_TARGETS: '10.20.0.0/16,fd12:3456::/32' });

  it('allows its ranges, with https and the ports of all webhooks', () => {
    const urls = ['https://10.20.1.2/', 'https://[fd12:3456::7]:8443/', 'https://[::ffff:10.20.1.2]/'];
    expect(faults(urls, targets)).toEqual(all(urls, undefined));
    const refused = [
      'https://10.21.0.1/',
      'http://10.20.1.2/',
      'https://10.20.1.2:9000/',
      'https://127.0.0.1/',
      'https://[fd12:3457::1]/',
    ];
    expect(faults(refused, targets)).toEqual(all(refused, 'not_allowed'));
  });

  it.each([
    '127.0.0.0/8',
    '0.0.0.0/0',
    '::/0',
    '169.254.0.0/16',
    '8.8.8.8/32',
    '10.0.0.0/7',
    'fe80::/10',
    '10.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/8,',
    'all',
  ])('has no range %p', (ranges) => {
    expect(() => webhookTargets({ WEBHOOK_PRIVATE_TARGETS: ranges })).toThrow('WEBHOOK_PRIVATE_TARGETS');
  });
});

describe('the check of addresses', () => {
  it('agrees with ipaddr.js on every /16 of IPv4, and on each /24 of those that are divided', () => {
    const wide = Array.from({ length: 65_536 }, (_, index) => `${index >> 8}.${index & 255}.77.1`);
    const narrow = ['192.0', '192.88', '192.31', '192.52', '192.175', '198.51', '203.0', '100.64', '172.31'].flatMap(
      (begin) => Array.from({ length: 256 }, (_, third) => `${begin}.${third}.255`),
    );
    const isUnicast = (address: string) => ipaddr.parse(address).range() === 'unicast';
    expect([...wide, ...narrow].filter((address) => deployed.allows(address) !== isUnicast(address))).toEqual([]);
  });

  it('allows only IPv6 addresses that ipaddr.js calls unicast', () => {
    const begins = Array.from({ length: 65_536 }, (_, first) => first.toString(16));
    const addresses = begins.flatMap((begin) =>
      /^[23]...$/.test(begin) ? [`${begin}::1`, `${begin}:4f:8000::1`, `${begin}:db8::1`] : [`${begin}::1`],
    );
    const allowed = addresses.filter((address) => deployed.allows(address));
    expect(allowed.length).toBeGreaterThan(8_000);
    expect(allowed.filter((address) => ipaddr.parse(address).range() !== 'unicast')).toEqual([]);
  });

  it.each(['localhost', '', '127.0.0.1:80', '8.8.8', 'fe80::1%eth0', '2606:4700::1111%eth0'])('refuses %p', (text) => {
    expect(deployed.allows(text)).toBe(false);
    expect(local.allows(text)).toBe(false);
  });
});
