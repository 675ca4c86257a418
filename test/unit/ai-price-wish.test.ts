import { describe, expect, it } from '@jest/globals';
import { priceWishOf } from '#lib/ai/offline/price-wish.ts';

describe('the price range of a message', () => {
  it.each([
    ['anything under 20 SAR', { maxPrice: 20 }],
    ['no more than 20 please', { maxPrice: 20 }],
    ['I have 50 SAR', { maxPrice: 50 }],
    ['drinks for 15 riyals or less', { maxPrice: 15 }],
    ['between 10 and 15 SAR', { minPrice: 10, maxPrice: 15 }],
    ['from 2.5 to 4 dinars', { minPrice: 2.5, maxPrice: 4 }],
    ['10-15 SAR', { minPrice: 10, maxPrice: 15 }],
    ['بين ٥ و ١٠ ريال', { minPrice: 5, maxPrice: 10 }],
    ['من ٥ الى ١٠ ريال', { minPrice: 5, maxPrice: 10 }],
    ['cakes over 30', { minPrice: 30.001 }],
    ['at least 30 AED', { minPrice: 30 }],
    ['30 AED and up', { minPrice: 30 }],
    ['فوق ٣٥ درهم', { minPrice: 35.001 }],
    ['أقل من ١٠ ريال', { maxPrice: 10 }],
    ['what is the cheapest wrap?', { sort: 'cheapest' }],
    ['your most expensive dish', { sort: 'dearest' }],
    ['وش أرخص شي عندكم', { sort: 'cheapest' }],
    ['ايش اغلى صحن', { sort: 'dearest' }],
    ['ارخص من ١٠ ريال', { maxPrice: 10 }],
  ])('%s', (text, prices) => {
    expect(priceWishOf(text).prices).toEqual(prices);
  });

  it.each([
    'under 10 minutes',
    'over 40 guests',
    'are you open between 10 and 12 pm?',
    'a party for 30 people or more',
    'open from 9 to 5',
    'how much is it',
    'فوق ٢٠ شخص',
    'under',
    '',
  ])('are none in: %s', (text) => {
    expect(priceWishOf(text).prices).toBeUndefined();
  });

  it('are not looked for by their words', () => {
    expect(priceWishOf('wraps between 10 and 15').rest).not.toMatch(/\d/);
    expect(priceWishOf('the cheapest wrap').rest).not.toContain('cheapest');
  });
});
