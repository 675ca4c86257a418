import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { Field } from '#lib/domain/cms/cms-model.ts';
import { checkValue, hasValue } from '#lib/domain/cms/cms-values.ts';
import { parseWith } from '#lib/domain/input.ts';

const languages = ['en', 'ar'];
const options = ['halal', 'vegan', 'constructor'].map((value) => ({ value, label: { en: value } }));
const image = { id: 'img_1', url: 'https://a.co/1.png' };

const field = (members: object): Field => {
  const { value, issues } = parseWith(Field, { key: 'it', name: { en: 'It' }, ...members });
  if (!value) throw new Error(JSON.stringify(issues));
  return value;
};
const fields: Record<string, Field> = {
  text: field({ type: 'text' }),
  localized: field({ type: 'richText', localized: true }),
  number: field({ type: 'number' }),
  boolean: field({ type: 'boolean' }),
  date: field({ type: 'date' }),
  datetime: field({ type: 'datetime' }),
  email: field({ type: 'email' }),
  url: field({ type: 'url' }),
  phone: field({ type: 'phone' }),
  select: field({ type: 'select', options }),
  multiSelect: field({ type: 'multiSelect', options }),
  json: field({ type: 'json' }),
  image: field({ type: 'media' }),
  images: field({ type: 'media', many: true }),
  one: field({ type: 'relation', relation: { to: 'cms:chefs' } }),
  several: field({ type: 'relation', relation: { to: 'menu:product', many: true } }),
};
const fieldNamed = (name: string): Field => {
  const found = fields[name];
  if (!found) throw new Error(name);
  return found;
};

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const nestedObject = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `prod_${index}`);

/** A value in a test's title; the deepest values cannot be printed. */
function titleOf(value: unknown): string {
  try {
    return JSON.stringify(value).slice(0, 80);
  } catch {
    return 'nested too deeply to be shown';
  }
}

describe('a value that is accepted', () => {
  const cases: [string, unknown, unknown][] = [
    ['text', '', ''],
    ['text', '  Saffron\n🍋 ', '  Saffron\n🍋 '],
    ['localized', { en: 'Noor' }, { en: 'Noor' }],
    ['localized', { en: '', ar: null }, { en: '', ar: null }],
    ['localized', {}, {}],
    ['number', 0, 0],
    ['number', -0, 0],
    ['number', -12.5, -12.5],
    ['number', 1e100, 1e100],
    ['number', -1e-100, -1e-100],
    ['boolean', false, false],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '2000-02-29', '2000-02-29'],
    ['datetime', '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z'],
    ['datetime', '2026-01-31T09:30+03:00', '2026-01-31T09:30+03:00'],
    ['datetime', '2026-12-31T23:59:59.123456-11:30', '2026-12-31T23:59:59.123456-11:30'],
    ['datetime', '2016-12-31T23:59:60.5Z', '2016-12-31T23:59:60.5Z'],
    ['email', ' lina.o+x@mail.example.com\n', 'lina.o+x@mail.example.com'],
    ['url', ' HTTPS://مطعم.example/قائمة?x=1#y ', 'https://xn--2gbe8ac.example/%D9%82%D8%A7%D8%A6%D9%85%D8%A9?x=1#y'],
    ['phone', ' +966 (50) 000-0000 ', '+966 (50) 000-0000'],
    ['phone', '+1 234 5678 ext 9', '+1 234 5678 ext 9'],
    ['phone', '\u202a+৮৮০ ২ ৫৫০\u00a0০০\u202c', '+880 2 550 00'],
    ['select', 'constructor', 'constructor'],
    ['multiSelect', ['vegan', 'halal'], ['vegan', 'halal']],
    ['multiSelect', [], []],
    ['json', { b: [1, null, 'x'], a: {} }, '{"b":[1,null,"x"],"a":{}}'],
    ['json', 'text', '"text"'],
    ['json', false, 'false'],
    ['json', nested(30), JSON.stringify(nested(30))],
    ['json', nestedObject(30), JSON.stringify(nestedObject(30))],
    ['image', image, { ...image, alt: null, width: null, height: null }],
    [
      'images',
      [{ ...image, alt: { ar: 'صورة' }, width: 10 }],
      [{ ...image, alt: { ar: 'صورة' }, width: 10, height: null }],
    ],
    ['images', [], []],
    ['one', 'chef:1.a_b-c', 'chef:1.a_b-c'],
    ['several', ids(1_000), ids(1_000)],
    ['several', [], []],
    ...Object.keys(fields).map((name): [string, unknown, unknown] => [name, null, null]),
  ];
  it.each(cases.map((row) => ({ row, title: `${row[0]}: ${titleOf(row[1])}` })))('$title', ({ row }) => {
    const [name, value, stored] = row;
    expect(checkValue(fieldNamed(name), value, languages)).toEqual({ value: stored });
  });
});

describe('a value that is refused', () => {
  const cases: [string, unknown, ...string[]][] = [
    ['text', 1, ':type'],
    ['text', { en: 'x' }, ':type'],
    ['text', 'a\ud800b', ':format'],
    ['localized', 'Noor', ':type'],
    ['localized', ['Noor'], ':type'],
    ['localized', { en: 1, fr: 'x', ar: '\udc00' }, 'en:type', 'fr:not_allowed', 'ar:format'],
    ['localized', JSON.parse('{"__proto__":"x"}'), '__proto__:not_allowed'],
    ['localized', { constructor: 'x' }, 'constructor:not_allowed'],
    ['number', '1', ':type'],
    ['number', Number.POSITIVE_INFINITY, ':max'],
    ['number', -1.1e100, ':max'],
    ['number', 9e-101, ':min'],
    ['number', Number.NaN, ':type'],
    ['boolean', 'true', ':type'],
    ['boolean', 0, ':type'],
    ['date', '2026-02-29', ':format'],
    ['date', '2100-02-29', ':format'],
    ['date', '2026-13-01', ':format'],
    ['date', '2026-00-10', ':format'],
    ['date', '2026-1-1', ':format'],
    ['date', '2026-01-01T00:00:00Z', ':format'],
    ['date', ' 2026-01-01', ':format'],
    ['date', '٢٠٢٦-٠١-٠١', ':format'],
    ['date', 20260101, ':type'],
    ['datetime', '2026-01-31T09:30:00', ':format'],
    ['datetime', '2026-01-31T24:00:00Z', ':format'],
    ['datetime', '2026-01-31T09:60:00Z', ':format'],
    ['datetime', '2026-01-31T09:30:00+24:00', ':format'],
    ['datetime', '2026-02-30T09:30:00Z', ':format'],
    ['datetime', '2026-01-31 09:30:00Z', ':format'],
    ['datetime', '2026-01-31', ':format'],
    ['email', 'lina', ':format'],
    ['email', 'lina@example', ':format'],
    ['email', 'a@b@example.com', ':format'],
    ['email', 'a..b@example.com', ':format'],
    ['email', 'a@-example.com', ':format'],
    ['email', 'a b@example.com', ':format'],
    ['email', 'a@example.com\nBcc: b@example.com', ':format'],
    ['email', '', ':format'],
    ['email', `${'a'.repeat(1_000_000)}@`, ':format'],
    ['url', 'ftp://a.co', ':format'],
    ['url', 'javascript:alert(1)', ':format'],
    ['url', 'https://', ':format'],
    ['url', 'https:a.co', ':format'],
    ['url', 'https://a\n.co', ':format'],
    ['url', 'https://a.co:99999', ':format'],
    ['url', 'https://a.co/\ud800', ':format'],
    ['url', '/menu', ':format'],
    ['phone', '1234', ':format'],
    ['phone', '(-) - - -', ':format'],
    ['phone', '1'.repeat(41), ':format'],
    ['select', 'beef', ':not_allowed'],
    ['select', 'toString', ':not_allowed'],
    ['select', ['vegan'], ':type'],
    ['multiSelect', 'vegan', ':type'],
    ['multiSelect', ['vegan', 1], ':type'],
    ['multiSelect', ['vegan', 'beef', 'vegan'], ':not_allowed', ':duplicate'],
    ['json', nested(31), ':too_large'],
    ['json', nestedObject(31), ':too_large'],
    ['json', nested(100_000), ':too_large'],
    ['json', { a: ['\ud800'], '\udc00': 1 }, ':format'],
    ['json', { a: [JSON.parse('{"__proto__":1}')] }, ':not_allowed'],
    ['json', { a: { constructor: 1, prototype: 2 } }, ':not_allowed'],
    ['json', { a: JSON.parse('1e400') }, ':max'],
    ['image', 'img_1', ':type'],
    ['image', [image], ':type'],
    ['image', { id: 'img_1' }, ':required'],
    ['image', { ...image, extra: 1 }, ':unknown_field'],
    ['image', { ...image, alt: { fr: 'x' } }, ':not_allowed'],
    ['image', { ...image, alt: { en: '\ud800' } }, ':format'],
    ['image', { ...image, width: -1 }, ':min'],
    ['image', JSON.parse('{"__proto__":1}'), ':not_allowed'],
    ['images', image, ':type'],
    ['one', { id: 'chef_1' }, ':type'],
    ['one', ['chef_1'], ':type'],
    ['one', '..', ':format'],
    ['one', 'a#b', ':format'],
    ['several', 'prod_1', ':type'],
    ['several', ['prod_1', null], ':type'],
    ['several', ['prod_1', 'prod_1', 'a b'], ':format', ':duplicate'],
    ['several', ids(1_001), ':max_items'],
  ];
  it.each(cases.map((row) => ({ row, title: `${row[0]}: ${titleOf(row[1])}` })))('$title', ({ row }) => {
    const [name, value, ...found] = row;
    const checked = checkValue(fieldNamed(name), value, languages);
    if (!('issues' in checked)) throw new Error('It was accepted.');
    expect(checked.issues.map(({ path, code }) => `${path}:${code}`)).toEqual(found);
    for (const { message } of checked.issues) expect(message).toMatch(/^(?:\S+: )?(?:Must|Is|Unknown member\.) .*\.$/);
  });
});

describe('a required field', () => {
  const requiredField = (name: string): Field => ({ ...fieldNamed(name), required: true });

  it.each<[string, unknown, boolean]>([
    ['text', ' \n', false],
    ['text', 'x', true],
    ['localized', { en: ' ', ar: null }, false],
    ['localized', { en: '', ar: 'x' }, true],
    ['localized', {}, false],
    ['number', 0, true],
    ['boolean', false, true],
    ['multiSelect', [], false],
    ['several', [], false],
    ['several', ['prod_1'], true],
    ['images', [], false],
    ['json', '[]', false],
    ['json', '" "', false],
    ['json', '{}', true],
    ['json', '0', true],
    ['date', null, false],
    ['date', undefined, false],
  ])('%s: %j is a value: %s', (name, stored, isValue) => {
    expect(hasValue(requiredField(name), stored)).toBe(isValue);
  });

  it.each(['date', 'datetime', 'email', 'url', 'phone', 'select', 'one'])(
    'a required field of type %s must not be blank',
    (name) => {
      expect(checkValue(requiredField(name), ' ', languages)).toMatchObject({
        issues: [{ path: '', code: 'required' }],
      });
    },
  );
});

it.each([
  [['one'], 'Must be one.'],
  [['one', 'two'], 'Must be one or two.'],
  [['one', 'two', 'three'], 'Must be one, two, or three.'],
])('a value that is not among %j has an issue', (values, message) => {
  expect(parseWith(z.enum(values), 'none').issues).toEqual([{ path: '', code: 'not_allowed', message }]);
});
