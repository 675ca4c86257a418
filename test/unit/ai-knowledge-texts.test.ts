import { describe, expect, it } from '@jest/globals';
import { factText, ReaderLanguages } from '#lib/messaging/knowledge/entry-facts.ts';
import { openingHoursText } from '#lib/messaging/knowledge/opening-hours.ts';
import { shortened, withoutMarkup } from '#lib/messaging/knowledge/plain-text.ts';
import { computedMilliseconds } from '#test/support/spent-time.ts';

describe('opening hours in words', () => {
  const day = [['09:00', '17:00']];
  it.each([
    [{ week: { sun: day, mon: day, tue: day, wed: day, thu: day, fri: day, sat: day } }, 'every day 09:00–17:00'],
    [{ mon: day, tue: day, wed: day, sat: [] }, 'Monday to Wednesday 09:00–17:00; Saturday closed'],
    [{ monday: ['08:00', '12:00'] }, 'Monday 08:00–12:00'],
    [
      {
        fri: [
          ['08:00', '11:00'],
          ['13:00', '20:00'],
        ],
      },
      'Friday 08:00–11:00, 13:00–20:00',
    ],
    [{ sat: 'by appointment', sun: null }, 'Sunday closed; Saturday by appointment'],
  ])('%j', (value, text) => {
    expect(openingHoursText(value, 'en')).toBe(text);
  });

  it('are written in Arabic for an Arabic reader', () => {
    for (const language of ['ar', 'AR-sa'])
      expect(openingHoursText({ sun: day, mon: day, tue: day, fri: null }, language)).toBe(
        'الأحد إلى الثلاثاء 09:00–17:00؛ الجمعة مغلق',
      );
  });

  it.each([[null], [{}], ['text'], [[1]], [{ colour: 'red' }], [{ mon: 5 }], [{ mon: [['x', 'y']] }], [{ week: 7 }]])(
    'are not seen where there are none: %j',
    (value) => {
      expect(openingHoursText(value, 'en')).toBeUndefined();
    },
  );
});

describe('a moment in words', () => {
  const told = (type: 'date' | 'datetime', value: string) =>
    factText(
      {
        field: {
          key: 'from',
          name: { en: 'From' },
          type,
          localized: false,
          required: false,
          hidden: false,
          many: false,
        },
        value,
      },
      new ReaderLanguages(['en']),
      () => undefined,
    );

  it.each([
    ['date', '2026-03-05', /^Thursday,? 5 March 2026$/],
    ['datetime', '2026-03-05T18:30:00+03:00', /^Thursday,? 5 March 2026, 18:30$/],
  ] as const)('%s %s', (type, value, text) => {
    expect(told(type, value)).toMatch(text);
  });

  it.each(['soon', '', 'T', '2026-13-01', 'from May on'])(
    'returns a stored value that is no day unchanged: %j',
    (value) => {
      expect(told('date', value)).toBe(value);
      expect(told('datetime', value)).toBe(value);
    },
  );
});

describe('texts without markup', () => {
  it.each([
    ['## Three tests\n\n- **Look:** here\n1. *there*', 'Three tests\nLook: here\nthere'],
    ['<p>Open <b>daily</b></p>', 'Open daily'],
    ['<p>Open <strong class="x">daily</strong>.</p><p>Closed never</p>', 'Open daily. Closed never'],
    ['See [our page](https://example.com/a) now', 'See our page now'],
    ['2 < 3 and snake_case', '2 < 3 and snake_case'],
  ])('%j', (text, plain) => {
    expect(withoutMarkup(text)).toBe(plain);
  });

  it.each([
    '<'.repeat(100_000),
    '['.repeat(100_000),
    '*'.repeat(100_000),
    '<a '.repeat(50_000),
    '[x]('.repeat(50_000),
    ' \n'.repeat(50_000),
  ])('are made in time from anything (%#)', async (text) => {
    expect(await computedMilliseconds(() => withoutMarkup(text))).toBeLessThan(2_000);
  });

  it('are cut between words, and never in a character', () => {
    expect(shortened('one two three', 9)).toBe('one two…');
    expect(shortened('🍚🍚🍚', 3)).toBe('🍚…');
    expect(shortened('short', 9)).toBe('short');
  });
});

describe('the language of a text', () => {
  it('is that of the reply, else the next one that there is', () => {
    const languages = new ReaderLanguages(['en-GB', undefined, 'ar']);
    expect(languages.text({ ar: 'ج', en: 'b' })).toBe('b');
    expect(languages.text({ ar: 'ج', en: ' ' })).toBe('ج');
    expect(languages.text({ fr: 'c' })).toBe('c');
    expect(languages.text({})).toBe('');
    expect(languages.text(null)).toBe('');
  });

  it('is found without its region in any case', () => {
    expect(new ReaderLanguages(['PT-br', 'en']).text({ en: 'b', pt: 'c' })).toBe('c');
    expect(new ReaderLanguages(['pt-BR', 'PT']).text({ en: 'b', PT: 'c' })).toBe('c');
  });
});
