import { describe, expect, it } from '@jest/globals';
import { isOnStep } from '#lib/domain/forms/form-answer-bounds.ts';
import { checkAnswers } from '#lib/domain/forms/form-answers.ts';
import { FormResponse } from '#lib/domain/forms/form-response.ts';
import { FormField, FormFieldType } from '#lib/domain/forms/form-view.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { compareMoments } from '#lib/domain/text/moment.ts';
import { preferredText } from '#lib/forms/preferred-text.ts';
import { fc, runs } from '#test/support/fast-check.ts';

describe('a step', () => {
  it.each<[number, number, number, boolean]>([
    [0.3, 0.1, 0, true],
    [0.1 + 0.2, 0.1, 0, false],
    [1.15, 0.05, 1, true],
    [3, 2, 1, true],
    [2, 2, 1, false],
    [-4, 2, 0, true],
    [1e21, 7, 0, false],
    [7e21, 7, 0, true],
    [5e-324, 5e-324, 0, true],
    [1e308, 5e-324, 0, true],
    [0, 0.7, 0, true],
  ])('%d is on steps of %d from %d: %s', (value, step, start, expected) => {
    expect(isOnStep(value, step, start)).toBe(expected);
  });

  it('holds for every number of steps of a decimal', () => {
    const decimal = fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(decimal, fc.integer({ min: -1_000, max: 1_000 }), ([digits, places], steps) => {
        const step = Number(`${digits}e-${places}`);
        expect(isOnStep(Number(`${digits * steps}e-${places}`), step, 0)).toBe(true);
        if (digits > 1) expect(isOnStep(Number(`${digits * steps + 1}e-${places}`), step, 0)).toBe(false);
      }),
    );
  });
});

describe('moments', () => {
  it.each<[string, string, number]>([
    ['2026-01-31', '2026-02-01', -1],
    ['2026-01-31', '2026-01-31', 0],
    ['2026-01-31T09:30+03:00', '2026-01-31T06:30Z', 0],
    ['2026-01-31T09:30', '2026-01-31T09:30Z', 0],
    ['2026-01-31T09:30:00.100', '2026-01-31T09:30:00.1Z', 0],
    ['2026-01-31T09:30', '2026-01-31T09:30+03:00', 1],
    ['2026-01-31T12:30:00.0001+03:00', '2026-01-31T09:30Z', 1],
    ['2026-01-31T09:30:00.00019', '2026-01-31T09:30:00.0002Z', -1],
    ['09:30', '09:30:00.000', 0],
    ['09:30:00.0001', '09:30', 1],
    ['09:30:00.25', '09:30:00.3', -1],
    ['2016-12-31T23:59:60Z', '2017-01-01T02:59:59+03:00', 0],
    ['23:59:60', '23:59:59.5', -1],
  ])('%s and %s', (a, b, sign) => {
    expect(Math.sign(compareMoments(a, b))).toBe(sign);
    expect(Math.sign(compareMoments(b, a))).toBe(sign === 0 ? 0 : -sign);
  });
});

describe('the hash of a JSON value', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, member]) => [name, shuffled(member)]),
    );
  };

  it('does not depend on the order of members', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(jsonHash(shuffled(value))).toBe(jsonHash(value))));
  });

  it('is another for another value', () => {
    const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        fc.pre(!same(a, b) && !same(shuffled(a), b));
        expect(jsonHash(a)).not.toBe(jsonHash(b));
      }),
    );
  });

  it.each<[string, string]>([
    ['[1,2]', '[12]'],
    ['["a","b"]', '["a,b"]'],
    ['{"a":1}', '[["a",1]]'],
    ['"1"', '1'],
    ['null', '"null"'],
    ['1e400', 'null'],
    ['{"__proto__":1}', '{}'],
    ['{"a":{"b":1}}', '{"a":{},"b":1}'],
  ])('%s is not %s', (a, b) => expect(jsonHash(JSON.parse(a))).not.toBe(jsonHash(JSON.parse(b))));

  it.each<[string, string]>([
    ['-0', '0'],
    ['1.0', '1'],
    ['"\\u0061"', '"a"'],
    ['{"a":1,"a":2}', '{"a":2}'],
  ])('%s is %s', (a, b) => expect(jsonHash(JSON.parse(a))).toBe(jsonHash(JSON.parse(b))));
});

describe('the text that a reader would like best', () => {
  it.each<[string | undefined, string | undefined]>([
    ['ar', 'عربي'],
    ['AR-sa', 'عربي'],
    ['de', 'English'],
    ['de, ar;q=0.1', 'عربي'],
    ['en;Q=0.1, ar;q=0.5', 'عربي'],
    ['en;q=0', 'عربي'],
    ['en;q=0, *', 'عربي'],
    ['ar;q=0, en;q=0', 'English'],
    [undefined, 'English'],
    ['q', 'English'],
    [`${'x,'.repeat(100_000)}ar`, 'English'],
  ])('the preferred text for %.10s is in the language that it prefers', (accept, text) => {
    expect(preferredText({ fr: ' ', en: 'English', ar: 'عربي' }, accept)).toBe(text);
  });

  it('is undefined for an empty text', () => expect(preferredText({ en: ' ' }, 'en')).toBeUndefined());
});

describe('any submission', () => {
  const fields = FormFieldType.options.map((type) =>
    FormField.parse({
      id: type,
      ref: type.toLowerCase(),
      title: { en: type },
      type,
      order: 0,
      validations: { required: false },
    }),
  );
  const refs = [...fields.map(({ ref }) => ref), '_meta', 'toString', '__proto__', 'constructor', ''];
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('1', 'on', '2026-01-31', '09:30', 'a@b.co', 'https://a.co', ['att_1'], '+966500000000', '\ud800'),
  );
  const submitted = fc.array(fc.tuple(fc.constantFrom(...refs), value)).map(
    // Parsed as JSON, so that names such as __proto__ are plain members.
    (members) =>
      JSON.parse(`{${members.map((member) => member.map((part) => JSON.stringify(part)).join(':')).join()}}`),
  );

  it('is refused, or can be stored, exported and imported', () => {
    fc.assert(
      fc.property(submitted, (body) => {
        const { answers, meta, issues } = checkAnswers(fields, body, () => true);
        for (const { path, code, message } of issues) {
          expect([Object.hasOwn(body, path), typeof code, message.endsWith('.')]).toEqual([true, 'string', true]);
        }
        if (issues.length > 0) return;
        const response = { id: 'res_1', formId: 'form_1', answers, meta, createdAt: '2026-01-01T00:00:00.000Z' };
        expect(FormResponse.parse(JSON.parse(JSON.stringify(response)))).toEqual(response);
      }),
      runs(2_000),
    );
  });
});
