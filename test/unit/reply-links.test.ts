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
  'See https://book.example/t?x=1. {"map":"https://maps.example/Riyadh/"} files: menu.pdf, www.partner.example';

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

  it.each([
    'Book at https://book.example/t?x=1.',
    'Book at book.example/t?x=1, or see maps.example/Riyadh/ and https://www.partner.example.',
    'Our menu: https://saffron.example/menu/dinner?lang=ar#rice and www.saffron.example.',
    'Here is menu.pdf.',
  ])('that the records hold, or of an own website, stays: %s', async (text) => {
    expect(await filtered([text], records)).toBe(text);
    expect(await filtered([...text], records)).toBe(text);
  });

  it.each([
    'It costs 12.50 SAR, e.g. at 7.30pm. Done...and so on; and/or 24/7: yes. مرحبا.كيف الحال؟',
    'Write to info@saffron.example or sara.ali@mail.example.',
    'Our menu.pdf is on saffron.example/menu; made with Node.js. See: here. ftp://x',
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
      for (const piece of ['a.', 'a-', 'www.', 'https://a', 'http://', '.', ':/', 'a.a-']) {
        const text = piece.repeat(50_000 / piece.length);
        await filtered([text]);
        await filtered(text.match(/.{1,50}/gs) ?? []);
      }
    });
    expect(computed).toBeLessThan(10_000);
  });
});
