import { describe, expect, it } from '@jest/globals';
import { differences, firstChoices, merged } from '#lib/console/app/editing/differences.ts';
import { mergePatch } from '#lib/console/app/editing/merge-patch.ts';
import { isEqual, valueAt, withValueAt } from '#lib/console/app/editing/paths.ts';
import { shownValue } from '#lib/console/app/editing/shown-value.ts';
import { withLanguage } from '#lib/console/app/editing/with-language.ts';

const base = { id: 'p', name: { en: 'Tea', ar: 'شاي' }, price: 3, tags: ['a'], image: null, updatedAt: '1' };

describe('paths', () => {
  it('read and write values in objects and lists, and leave the record as it was', () => {
    const record = { sets: [{ name: { en: 'One' } }, { name: { en: 'Two' } }] };
    expect(valueAt(record, 'sets.1.name.en')).toBe('Two');
    expect(valueAt(record, 'sets.2.name.en')).toBeUndefined();
    expect(withValueAt(record, 'sets.1.name.ar', 'اثنان')).toEqual({
      sets: [{ name: { en: 'One' } }, { name: { en: 'Two', ar: 'اثنان' } }],
    });
    expect(valueAt(record, 'sets.1.name.ar')).toBeUndefined();
    expect(withValueAt({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
    expect(withValueAt({ a: null }, 'a.en', 'x')).toEqual({ a: { en: 'x' } });
  });

  it('compare values in any order of members', () => {
    expect(isEqual({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
    expect(isEqual([1, 2], [2, 1])).toBe(false);
    expect(isEqual({ a: null }, {})).toBe(false);
  });
});

describe('a merge patch', () => {
  it('contains only the changes: one language, null for a removed member, complete lists', () => {
    const after = { ...base, name: { en: 'Green tea', ar: 'شاي' }, tags: ['a', 'b'] };
    expect(mergePatch(base, after)).toEqual({ name: { en: 'Green tea' }, tags: ['a', 'b'] });
    expect(mergePatch(base, { ...base, name: { en: 'Tea' } })).toEqual({ name: { ar: null } });
    expect(mergePatch(base, base)).toEqual({});
  });
});

describe('two versions of a record', () => {
  const mine = { ...base, name: { en: 'Green tea', ar: 'شاي' }, price: 4 };
  const theirs = { ...base, name: { en: 'Black tea', ar: 'شاي أسود' }, updatedAt: '2' };
  const found = differences(base, mine, theirs);

  it('differ field by field, down to the language', () => {
    expect(found).toEqual([
      { path: 'name.en', mine: 'Green tea', theirs: 'Black tea', isContested: true },
      { path: 'name.ar', mine: 'شاي', theirs: 'شاي أسود', isContested: false },
      { path: 'price', mine: 4, theirs: 3, isContested: false },
    ]);
  });

  it('are put together without losing what one side alone has changed', () => {
    const choices = firstChoices(base, found);
    expect(choices).toEqual({ 'name.en': 'mine', 'name.ar': 'theirs', price: 'mine' });
    expect(merged(theirs, found, choices)).toEqual({
      ...theirs,
      name: { en: 'Green tea', ar: 'شاي أسود' },
      price: 4,
    });
    expect(merged(theirs, found, { ...choices, 'name.en': 'theirs' }).name).toEqual(theirs.name);
  });

  it('are compared as one field where one has null for an object of the other', () => {
    const withImage = { ...base, image: { id: 'i', url: '/media/i' } };
    expect(differences(base, withImage, { ...base, price: 5 }).map(({ path }) => path)).toEqual(['price', 'image']);
    const taken = differences(withImage, { ...withImage, image: null }, withImage);
    expect(merged(withImage, taken, firstChoices(withImage, taken))).toEqual({ ...withImage, image: null });
  });
});

describe('a localized text', () => {
  it('loses a language whose text is emptied, and gets the requested empty value without any', () => {
    expect(withLanguage({ en: 'a' }, 'ar', 'ب', undefined)).toEqual({ en: 'a', ar: 'ب' });
    expect(withLanguage({ en: 'a', ar: 'ب' }, 'ar', '', undefined)).toEqual({ en: 'a' });
    expect(withLanguage({ en: 'a' }, 'en', '', null)).toBeNull();
    expect(withLanguage({ en: 'a' }, 'en', '', undefined)).toEqual({});
    expect(withLanguage(null, 'en', 'a', null)).toEqual({ en: 'a' });
  });
});

describe('a value in words', () => {
  const t = { yes: 'Yes', no: 'No', none: 'None' };
  it.each([
    [null, 'None'],
    [true, 'Yes'],
    [12.5, '12.5'],
    [[], 'None'],
    [[{ id: 'a', name: { en: 'x' } }], 'id: a, name: en: x'],
  ])('shows %j as %s', (value, text) => expect(shownValue(value, t)).toBe(text));
});
