import { describe, expect, it } from '@jest/globals';
import { labelOf } from '#lib/console/app/areas/menu/labels.ts';
import { isSoldOut, untilOf } from '#lib/console/app/areas/menu/sold-out.ts';
import { menuTexts } from '#lib/console/app/areas/menu/texts.ts';
import { languagesMissing, textIn } from '#lib/console/app/data/localized.ts';
import { moved } from '#lib/console/app/editing/moved.ts';
import { slugOf } from '#lib/console/app/editing/slug.ts';
import { directionOf, fill, languageOf } from '#lib/console/app/texts/catalogue.ts';

const now = new Date('2026-11-22T15:30:00.000Z');

describe('a sold-out product', () => {
  it.each([
    [{ soldout: false, soldoutUntil: null }, false],
    [{ soldout: true, soldoutUntil: null }, true],
    [{ soldout: true, soldoutUntil: '2026-11-22T15:30:00.001Z' }, true],
    [{ soldout: true, soldoutUntil: '2026-11-22T15:30:00.000Z' }, false],
    [{ soldout: false, soldoutUntil: '2027-01-01T00:00:00.000Z' }, false],
  ])('%j counts as sold out: %s', (product, expected) => expect(isSoldOut(product, now.getTime())).toBe(expected));

  it('becomes available at the chosen time, in the time zone of the browser', () => {
    expect(untilOf('changed', now)).toBeNull();
    expect(untilOf('hour', now)).toBe('2026-11-22T16:30:00.000Z');
    const today = new Date(untilOf('today', now) ?? '');
    expect([today.getHours(), today.getMinutes(), today.getTime() > now.getTime()]).toEqual([0, 0, true]);
    const tomorrow = new Date(untilOf('tomorrow', now) ?? '');
    const dayAfter = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    expect([tomorrow.getHours(), tomorrow.getDate()]).toEqual([12, dayAfter.getDate()]);
  });
});

describe('texts', () => {
  it.each([
    ['Mint tea & honey!', 'mint-tea-honey'],
    ['  شاي بالنعناع ', 'شاي-بالنعناع'],
    ['---', ''],
    ['a'.repeat(120), 'a'.repeat(100)],
  ])('%j is %j in an address', (name, slug) => expect(slugOf(name)).toBe(slug));

  it('are shown in the first language that has one', () => {
    expect(textIn({ en: ' ', ar: 'شاي' }, ['en', 'ar'])).toBe('شاي');
    expect(textIn({ fr: 'Thé' }, ['en', 'ar'])).toBe('Thé');
    expect(textIn(null, ['en'])).toBe('');
    expect(languagesMissing({ en: 'Tea', ar: '' }, ['en', 'ar', 'fr'])).toEqual(['ar', 'fr']);
  });

  it('take values, and come in a language that the console speaks', () => {
    expect(fill('{a} of {b} {c}', { a: 1, b: 'x' })).toBe('1 of x {c}');
    expect(languageOf([null, 'fr-FR', 'ar-SA'])).toBe('ar');
    expect(languageOf(['de'])).toBe('en');
    expect([directionOf('ar'), directionOf('he-IL'), directionOf('en')]).toEqual(['rtl', 'rtl', 'ltr']);
  });

  it('name a field by its path', () => {
    const label = labelOf(menuTexts.en);
    expect(label('optionSets.0.options.1.name.ar')).toBe('Options › 1 › Choices › 2 › Name › ar');
  });
});

describe('a list', () => {
  it('moves an item, and does not change at its ends', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
    expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b']);
  });
});
