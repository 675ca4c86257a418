import { describe, expect, it } from '@jest/globals';
import { ReplyLinks } from '#lib/messaging/reply-links.ts';
import { computedMilliseconds } from '#test/support/spent-time.ts';

const isOwn = async (host: string) => host === 'saffron.example';

/** The reply after the filter, for a text in these pieces. */
async function filtered(pieces: readonly string[], known = ''): Promise<string> {
  const links = new ReplyLinks(isOwn);
  links.allow(known);
  let text = '';
  for (const piece of pieces) text += await links.push(piece);
  return text + (await links.end());
}

const records =
  'Call +966 11 555-0101 or mail Desk@mail.example. See https://book.example/t?x=1. {"map":"https://maps.example/Riyadh/"} files: menu.pdf, www.partner.example';

it('a reply has no control characters, and none hides a link', async () => {
  expect(await filtered([' \u0000', 'a\u0007b\t\r\nc', '\u007f'])).toBe(' ab\t\r\nc');
  expect(await filtered(['Go to ww\u0000w.evil', '.example'])).toBe('Go to […]');
});

describe('a link in a reply', () => {
  it.each([
    ['Pay at https://evil.example/pay now.', 'Pay at […] now.'],
    ['Pay at HTTPS://EVIL.EXAMPLE.', 'Pay at […].'],
    ['Go to www.evil.example, please.', 'Go to […], please.'],
    ['(http://evil.example)', '([…])'],
    ['[Menu](https://evil.example/a)', '[Menu]([…])'],
    ['ادفع هنا: https://evil.example/pay، شكرا', 'ادفع هنا: […]، شكرا'],
    ['请看https://evil.example/x。谢谢', '请看[…]。谢谢'],
    ['https://saffron.example@evil.example/', '[…]'],
    ['https://saffron.example.evil.example/', '[…]'],
    ['https://evil.example/?to=https://saffron.example', '[…]'],
    ['https://book.example/t?x=2', '[…]'],
    ['https://обман.example and https://xn--80abc.example', '[…] and […]'],
    ['https://evil.example', '[…]'],
  ])('that the workspace has not written is removed: %s', async (text, expected) => {
    expect(await filtered([text], records)).toBe(expected);
    // No address is complete, whatever the pieces.
    const letters = await filtered([...text], records);
    expect(letters).not.toMatch(/evil\S*\.example|x=2|обман|xn--/i);
  });

  const shapes = [
    'evil.example/login',
    'evil.example/',
    'evil.example./x',
    'evil.example:8080/x',
    'evil.example?x=1',
    'saffron.example@evil.example/login',
    'Node.js/https://evil.example/pay',
    'wa.me/1',
    '//evil',
    '//evil/login',
    '///evil.example',
    'mailto:a@evil.example',
    'tel:+15550100',
    'SMS:15550100?body=x',
    'whatsapp://send?phone=15550100',
    'javascript:alert(1)',
    'JavaScript://saffron.example/%0aalert(1)',
    'intent://evil.example#Intent',
    'view-source:https://evil.example',
    'ftp://saffron.example',
    'data:text/html,x',
    '1.2.3.4/login',
    'http://1.2.3.4',
    'https://[::1]/x',
    'обман.рф/x',
    '中国.公司/支付',
    'xn--80a.xn--p1ai/x',
    '1https://evil.example',
  ];
  const around = [
    ['Go to ', '.'],
    ['[Pay](', ')'],
    ['_', '_'],
    ['请看', '。'],
    ['Sure...', '!'],
  ] as const;
  it.each(shapes)('is removed in any shape, wherever it stands, and in any pieces: %s', async (shape) => {
    for (const [before, after] of around) {
      for (const pieces of [[before + shape + after], [...(before + shape + after)]]) {
        const reply = await filtered(pieces, records);
        expect(reply).toContain('[…]');
        expect(reply).not.toContain(shape);
        expect(reply).not.toMatch(/evil\.example|wa\.me|15550100|1\.2\.3\.4|alert/);
      }
    }
  });

  it.each([
    'Book at https://book.example/t?x=1.',
    'Book at book.example/t?x=1, or see maps.example/Riyadh/ and https://www.partner.example.',
    'Our menu: https://saffron.example/menu/dinner?lang=ar#rice and www.saffron.example.',
    'Here is menu.pdf.',
    'Call tel:+966115550101 or mailto:desk@mail.example?subject=x',
  ])('that the records hold, or of an own website, stays: %s', async (text) => {
    expect(await filtered([text], records)).toBe(text);
    expect(await filtered([...text], records)).toBe(text);
  });

  it.each([
    'It costs 12.50 SAR, e.g. at 7.30pm. Done...and so on; and/or 24/7: yes. مرحبا.كيف الحال؟',
    'Write to info@saffron.example or sara.ali@mail.example.',
    'Our menu.pdf is on saffron.example/menu; made with Node.js. See: here.',
    'It costs 12.50/kg, and/or 24/7 w/o i.e./e.g. at 7.30pm/8pm; 10.5.2026, v1.2/x, 1/2 km/h at 5:30/6:00.',
    'Is it menu.pdf? Node.js/Express, menu.pdf/prices.pdf; a.m./p.m. // comment',
    'مرحبا.كيف الحال؟ ١٢٫٥٠/كغ',
    'Tel: 0112345678. Ready?yes Done.Open:9am',
    'St. George is open.\n\nNew line: ok',
    'http',
    '见面。www',
  ])('is not what only resembles one: %s', async (text) => {
    expect(await filtered([text])).toBe(text);
    expect(await filtered([...text])).toBe(text);
  });

  it('holds nothing else back', async () => {
    const links = new ReplyLinks(isOwn);
    for (const piece of ['Hello', ', we are', ' open', '。我们', ' مرحبا']) expect(await links.push(piece)).toBe(piece);
    for (const piece of [' until 12.', ' Hello.', ' See:', ' fresh', ' how'])
      expect(await links.push(piece)).toBe(piece);
    expect(await links.push(' at htt')).toBe(' at ');
    expect(await links.push('p. Bye')).toBe('http. Bye');
    expect(await links.end()).toBe('');
  });

  it('is judged in linear time, however long it is', async () => {
    const computed = await computedMilliseconds(async () => {
      for (const piece of [
        'a.',
        'a-',
        'www.',
        'https://a',
        'http://',
        '.',
        ':/',
        'a.a-',
        '//',
        'a@',
        '(0',
        '1.',
        'tel:',
      ]) {
        const text = piece.repeat(50_000 / piece.length);
        await filtered([text]);
        await filtered(text.match(/.{1,50}/gs) ?? []);
      }
    });
    expect(computed).toBeLessThan(10_000);
  });
});
