import { describe, expect, it } from '@jest/globals';
import { phoneDigits, phoneNumber } from '#lib/domain/text/text-forms.ts';
import { trimmedText, typedText } from '#lib/domain/text/typed-text.ts';
import { fc, runs } from '#test/support/fast-check.ts';

const everyDigit = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /\p{Nd}/u.test(character));

describe('a typed text', () => {
  it('has the digits of every script in ASCII', () => {
    expect(everyDigit.length).toBeGreaterThan(600);
    expect(everyDigit.map(typedText).join('')).toBe('0123456789'.repeat(everyDigit.length / 10));
  });

  it.each([
    ['\u202a+971 4 222 0000\u202c', '+971 4 222 0000'],
    ['\u2066\u200e०९:४५\u2069', '09:45'],
    ['２０２６－０５－０１Ｔ０９：３０', '2026-05-01T09:30'],
    ['\u3000−๑๒\u2009', '-12'],
    ['\ufeff7\u202f000\u00a0', '7 000'],
    ['55‑12‐00', '55-12-00'],
    ['½ ⅷ ⁵ ①', '½ ⅷ ⁵ ①'],
  ])('%j is %j', (text, typed) => expect(typedText(text)).toBe(typed));

  it('is a fixed point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(typedText(typedText(text))).toBe(typedText(text));
        expect(trimmedText(trimmedText(text))).toBe(trimmedText(text));
      }),
      runs(2_000),
    );
  });
});

describe('a phone number', () => {
  it.each([
    ['12345', '12345'],
    [' (0)7.55/12-3 ', '(0)7.55/12-3'],
    ['০১৭১২-৩৪৫৬৭৮', '01712-345678'],
    ['\u202d+۹۸ ۲۱ ۵۵۵۵\u202c', '+98 21 5555'],
    ['+49\u00a030\u202f901820', '+49 30 901820'],
    ['０３－１２３４－５６７８', '03-1234-5678'],
    ['212 555 0100 EXT. 7', '212 555 0100 EXT. 7'],
    ['2125550100x123456', '2125550100x123456'],
    ['212-555-0100 #٤٢', '212-555-0100 #42'],
    [`+${'1 '.repeat(19)}1`, `+${'1 '.repeat(19)}1`],
  ])('%j is stored as %j', (text, stored) => {
    expect(phoneNumber(text)).toBe(stored);
    expect(phoneNumber(stored)).toBe(stored);
  });

  it.each([
    '',
    '-----',
    '+ ( ) . / -',
    '1234',
    '١٢٣٤',
    '1234 x56',
    '12345 ext',
    '12345 x1234567',
    '12345 ext 1 ext 2',
    'call 12345',
    '12345;ext=1',
    '12\u200b345',
    '12\t345',
    '12345\u0000',
    '⁵⁵⁵⁵⁵⁵',
    `+${'1 '.repeat(20)}1`,
    '1'.repeat(900_000),
    `1${' '.repeat(900_000)}x`,
  ])('is not %j', (text) => expect(phoneNumber(text)).toBeUndefined());

  it('has the digits of its extension, too', () => {
    expect(phoneDigits('+1 (212) 555-0100 ext. 42')).toBe('1212555010042');
  });
});
