import { describe, expect, it } from '@jest/globals';
import { generatedSecretHasBadChecksum, isWellFormedSecret } from '#lib/domain/access/key-secret.ts';
import { normaliseHost } from '#lib/domain/messaging/channel.ts';
import { generatedSecret } from '#lib/table/access/new-secret.ts';
import { fc } from '#test/support/fast-check.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const random = fc.string({ unit: fc.constantFrom(...base62), minLength: 43, maxLength: 43 });

describe('a generated secret', () => {
  it('is wsk_, 43 random characters and the CRC32 of both in six base62 digits', () => {
    const secret = generatedSecret('0'.repeat(43));
    expect(secret).toMatch(/^wsk_0{43}[0-9A-Za-z]{6}$/);
    const checksum = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0);
    expect(checksum).toBe(crc32(`wsk_${'0'.repeat(43)}`));
  });

  it('is well-formed, and no longer right when a character changes', () => {
    fc.assert(
      fc.property(random, fc.nat(52), fc.constantFrom(...base62), (characters, place, other) => {
        const secret = generatedSecret(characters);
        const changed = secret.slice(0, place) + other + secret.slice(place + 1);
        expect(isWellFormedSecret(secret)).toBe(true);
        expect(generatedSecretHasBadChecksum(secret)).toBe(false);
        if (changed !== secret && place >= 4) expect(generatedSecretHasBadChecksum(changed)).toBe(true);
      }),
    );
  });

  it.each(['', 'short', '0'.repeat(42), '-'.repeat(43)])('is not made of %j', (characters) => {
    expect(() => generatedSecret(characters)).toThrow(RangeError);
  });
});

describe('a secret', () => {
  it.each<[string, boolean]>([
    ['x'.repeat(19), false],
    ['x'.repeat(20), true],
    ['!~'.repeat(100), true],
    ['x'.repeat(201), false],
    [`${'x'.repeat(20)} `, false],
    [`${'x'.repeat(20)}\n`, false],
    [`${'x'.repeat(20)}é`, false],
  ])('%.25j is well-formed: %s', (secret, isRight) => {
    expect(isWellFormedSecret(secret)).toBe(isRight);
    expect(generatedSecretHasBadChecksum(secret)).toBe(false);
  });
});

describe('the host of a website', () => {
  it.each<[string, string | undefined]>([
    ['saffron.example', 'saffron.example'],
    [' HTTPS://WWW.Saffron.Example.:8443/menu?x=1#y ', 'saffron.example'],
    ['//shop.saffron.example/@lina', 'shop.saffron.example'],
    ['مطعم.example', 'xn--2gbe8ac.example'],
    ['localhost:3000', 'localhost'],
    ['saffron', undefined],
    ['www.saffron', undefined],
    ['www.www.saffron', undefined],
    ['WWW.www.saffron.example', 'saffron.example'],
    ['127.0.0.1', undefined],
    ['[::1]', undefined],
    ['a..example', undefined],
    ['-a.example', undefined],
    ['a_b.example', undefined],
    ['lina@saffron.example', undefined],
    ['@saffron.example', undefined],
    ['https://:@saffron.example/', undefined],
    ['saf\nfron.example', undefined],
    ['saf fron.example', undefined],
    ['mailto:lina', undefined],
    [`${'a'.repeat(64)}.example`, undefined],
    ['', undefined],
  ])('%j is %j', (identifier, host) => {
    expect(normaliseHost(identifier)).toBe(host);
  });

  it('has one spelling: normalising twice changes nothing', () => {
    const label = fc.constantFrom('www', 'WWW', 'a', 'xn--a', 'é', 'localhost', 'com', '1', '');
    fc.assert(
      fc.property(fc.array(label, { maxLength: 5 }), fc.constantFrom('', '.', '..', ':80', '/x'), (labels, end) => {
        const host = normaliseHost(`${labels.join('.')}${end}`);
        if (host !== undefined) expect(normaliseHost(host)).toBe(host);
      }),
    );
  });
});

/** The checksum of a text, bit by bit, as the standard defines it. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
