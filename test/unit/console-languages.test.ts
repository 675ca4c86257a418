import { describe, expect, it } from '@jest/globals';
import { findLanguages, languageOfCode, listedLanguages } from '#lib/console/app/languages/language-list.ts';
import { languageNames } from '#lib/console/app/languages/language-names.ts';
import { directionOf } from '#lib/console/app/texts/catalogue.ts';

const english = listedLanguages('en-US');
const arabic = listedLanguages('ar-AE');
const codes = (search: string, locale = 'en-US') =>
  findLanguages(locale === 'en-US' ? english : arabic, search, locale).map(({ code }) => code);

describe('the languages that can be chosen', () => {
  it('have a name in the language of the console and in their own, each code once, by name', () => {
    expect(english.find(({ code }) => code === 'ar')).toEqual({ code: 'ar', name: 'Arabic', ownName: 'العربية' });
    expect(arabic.find(({ code }) => code === 'en')).toEqual({ code: 'en', name: 'الإنجليزية', ownName: 'English' });
    const all = english.map(({ code }) => code);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(['he', 'id', 'fil', 'en-GB', 'pt-BR', 'zh-Hant', 'ckb']));
    // Their standard codes are `he` and `id`.
    expect(all.filter((code) => ['iw', 'in'].includes(code))).toEqual([]);
    const names = english.map(({ name }) => name);
    expect(names).toEqual([...names].sort(new Intl.Collator('en-US').compare));
  });

  it('are found by a name in either language, without its article, and by a code in any case', () => {
    expect(codes('germ')[0]).toBe('de');
    expect(codes('deutsch')).toContain('de');
    expect(codes('إنجليزية', 'ar-AE')).toContain('en');
    expect(codes('الفرنسيه', 'ar-AE')).toContain('fr');
    expect(codes('brazil')).toEqual(['pt-BR']);
    expect(codes('EN')[0]).toBe('en');
    expect(codes('en-gb')[0]).toBe('en-GB');
  });

  it('contain any other code of the standard that the service takes, last', () => {
    expect(codes('en-za').at(-1)).toBe('en-ZA');
    expect(codes('tlh')).toEqual(['tlh']);
    expect(codes('not a language')).toEqual([]);
    // `eng` is `en` in the standard.
    expect(codes('eng')[0]).toBe('en');
    expect(codes('eng')).not.toContain('eng');
    expect(codes('x-private')).toEqual([]);
  });
});

describe('a code that the service stores and no standard has', () => {
  it('is its own name, and runs from left to right', () => {
    expect(languageNames('en-US')('en-GB-GB')).toBe('en-GB-GB');
    expect(languageOfCode('en-GB-GB', 'ar-AE')).toEqual({ code: 'en-GB-GB', name: 'en-GB-GB', ownName: 'en-GB-GB' });
    expect(directionOf('en-GB-GB')).toBe('ltr');
  });
});

it('the direction of a language is that of its usual script', () => {
  const rightToLeft = ['ar', 'ar-SA', 'he', 'fa', 'ur', 'ckb', 'sd', 'ug', 'pa-Arab', 'dv', 'yi'];
  expect(rightToLeft.map(directionOf)).toEqual(rightToLeft.map(() => 'rtl'));
  const leftToRight = ['en', 'ku', 'pa', 'tr', 'az', 'az-Latn', 'zh-Hant'];
  expect(leftToRight.map(directionOf)).toEqual(leftToRight.map(() => 'ltr'));
});
