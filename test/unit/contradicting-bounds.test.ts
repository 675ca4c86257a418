import { describe, expect, it } from '@jest/globals';
import { type Document, eachChange, shortForm, smallDocument, times, validated } from './document-file.ts';

const choices = (count: number) => times(count, (index) => ({ value: `v${index}`, label: {} }));

describe('bounds of a form that no answer can meet are refused at the lower one:', () => {
  const bounds = (type: string, validations: object) => (d: Document) =>
    Object.assign(d.forms[0].fields[0], { type, validations });
  const at = (member: string, code = 'not_allowed') => `form form_1 fields.0.validations.${member} ${code}`;
  eachChange([
    ['lengths', bounds('TEXTAREA', { minLength: 21, maxLength: 20 }), at('minLength')],
    ['numbers', bounds('NUMBER', { min: 0.3, max: 0.1 }), at('min')],
    ['negative numbers', bounds('RATING', { min: -1, max: -2, step: 1 }), at('min')],
    ['days', bounds('DATE', { minDate: '2028-03-01', maxDate: '2028-02-29' }), at('minDate')],
    [
      'moments in different zones',
      bounds('DATETIME', { minDate: '2026-05-01T10:00+01:00', maxDate: '2026-05-01T10:30+02:00' }),
      at('minDate'),
    ],
    [
      'moments that differ by a fraction of a second',
      bounds('DATETIME', { minDate: '2026-05-01T10:00:00.0002', maxDate: '2026-05-01T10:00:00.0001' }),
      at('minDate'),
    ],
    ['counts of choices', bounds('MULTI_SELECT', { options: choices(5), minItems: 3, maxItems: 2 }), at('minItems')],
    ['more choices than there are', bounds('MULTI_SELECT', { options: choices(2), minItems: 3 }), at('minItems')],
    ['counts of files', bounds('FILE', { minItems: 2, maxItems: 1 }), at('minItems')],
    ['more files than an answer holds', bounds('FILE', { minItems: 21 }), at('minItems')],
    ['an address longer than any', bounds('EMAIL', { minLength: 255 }), at('minLength')],
    ['more characters than a pattern sees', bounds('HIDDEN', { minLength: 1_001, pattern: 'a*' }), at('minLength')],
    ['a required text without room', bounds('TEXT', { required: true, maxLength: 0 }), at('maxLength')],
    ['a required list without room', bounds('FILE', { required: true, maxItems: 0 }), at('maxItems')],
    [
      'a required choice with an empty list',
      bounds('RADIO', { required: true, options: [] }),
      at('options', 'required'),
    ],
    ['a required choice without a list', bounds('SELECT', { required: true }), at('options', 'required')],
    [
      'a choice of blanks',
      bounds('SELECT', { options: [{ value: ' \u00a0', label: {} }] }),
      at('options.0.value', 'required'),
    ],
    [
      'a choice of nothing',
      bounds('SELECT', { options: [{ value: '', label: {} }] }),
      at('options.0.value', 'required'),
    ],
  ]);
});

describe('bounds of a form have the form of its answers:', () => {
  const cases: [type: string, right: string[], wrong: string[]][] = [
    ['DATE', ['2026-01-31'], ['09:30', '2026-01-31T09:30', '2026-02-30', '31.01.2026', '']],
    ['TIME', ['09:30', '23:59:59.999'], ['2026-01-31', '2026-01-31T09:30', '24:00', '9:30']],
    ['DATETIME', ['2026-01-31T09:30', '2026-01-31T09:30:00.5-02:30'], ['2026-01-31', '09:30', '2026-01-31 09:30']],
  ];
  it.each(cases)('%s', async (type, right, wrong) => {
    const document = smallDocument();
    document.forms[0].fields = [...right, ...wrong].map((minDate, index) => ({
      id: `f${index}`,
      ref: `ref${index}`,
      title: { en: 'When?' },
      type,
      validations: { minDate },
    }));
    expect(shortForm((await validated(document)).failures)).toEqual(
      wrong.map((_, index) => `form form_1 fields.${right.length + index}.validations.minDate format`),
    );
  });
});

describe('bounds that an answer can meet are stored:', () => {
  const fields: [type: string, validations: object][] = [
    ['TEXT', { required: true, minLength: 3, maxLength: 3 }],
    ['TEXT', { maxLength: 0 }],
    ['NUMBER', { min: 2, max: 2 }],
    ['DATE', { minDate: '2026-01-31', maxDate: '2026-01-31' }],
    ['TIME', { minDate: '22:00', maxDate: '04:30' }],
    ['TIME', { minDate: '04:30', maxDate: '04:30:00' }],
    ['DATETIME', { minDate: '2026-05-01T10:00+02:00', maxDate: '2026-05-01T09:00+01:00' }],
    ['MULTI_SELECT', { options: choices(2), minItems: 2, maxItems: 2 }],
    ['MULTI_SELECT', { minItems: 3 }],
    ['MULTI_SELECT', { options: choices(3), maxItems: 9 }],
    ['FILE', { minItems: 20, maxItems: 20 }],
    ['SELECT', { options: [] }],
    ['RADIO', { required: true, options: choices(1) }],
  ];
  it.each(fields)('%s %j', async (type, validations) => {
    const document = smallDocument();
    Object.assign(document.forms[0].fields[0], { type, validations });
    expect(shortForm((await validated(document)).failures)).toEqual([]);
  });
});

describe('a required choice of a database without options is refused:', () => {
  const field = (members: object) => (d: Document) =>
    d.cms.models[0].fields.push({ key: 'size', name: { en: 'Size' }, required: true, ...members });
  const refused = ['cmsModel chefs fields.5.options required', 'cmsEntry chef_1 values.size required'];
  eachChange([
    ['select', field({ type: 'select' }), ...refused],
    ['multiSelect', field({ type: 'multiSelect', options: [] }), ...refused],
  ]);
});

describe('choices of a product that no order can meet are refused:', () => {
  const option = (id: number, members: object = {}) => ({ id: `o${id}`, name: { en: `O${id}` }, price: 1, ...members });
  const set =
    (members: object, options: readonly object[] = [option(1), option(2)]) =>
    (d: Document) =>
      Object.assign(d.menu.products[0], { optionSets: [{ id: 'set_1', name: { en: 'Sauce' }, options, ...members }] });
  const at = (path: string, code = 'not_allowed') => `menuProduct prod_1 optionSets.0.${path} ${code}`;
  const one = { maxQuantity: 1 };
  const chosen = { default: true };
  eachChange([
    ['a least over the most', set({ min: 2, max: 1 }), at('min')],
    ['a most of nothing', set({ max: 0 }), at('max')],
    ['a least over the options', set({ min: 3 }), at('min')],
    [
      'a least over what the options yield',
      set({ min: 3, allowDuplicates: true }, [option(1, one), option(2, one)]),
      at('min'),
    ],
    ['a least of nothing that can be chosen', set({ min: 1 }, []), at('min')],
    ['a required set without options', set({ required: true }, []), at('options', 'required')],
    [
      'more defaults than the most',
      set({ max: 2 }, [option(1, chosen), option(2), option(3, chosen), option(4, chosen)]),
      at('options.3.default'),
    ],
    [
      'two default prices',
      (d) =>
        Object.assign(d.menu.products[0], {
          priceOptions: [
            { id: 'p1', price: 1, default: true },
            { id: 'p2', price: 2, default: false },
            { id: 'p3', price: 3, default: true },
          ],
        }),
      'menuProduct prod_1 priceOptions.2.default not_allowed',
    ],
  ]);

  it('and all others are stored', async () => {
    const document = smallDocument();
    document.menu.products[0].optionSets = [
      { min: 2, max: 2, required: true, options: [option(1, chosen), option(2, chosen)] },
      { min: 9, allowDuplicates: true, options: [option(1)] },
      { min: 3, max: 3, allowDuplicates: true, options: [option(1, one), option(2, { maxQuantity: 2 })] },
      { max: 1, options: [] },
      { options: [option(1, { ...chosen, soldout: true }), option(2, chosen)] },
    ].map((members, index) => ({ id: `set_${index}`, name: { en: 'Sauce' }, ...members }));
    document.menu.products[0].priceOptions = [
      { id: 'p1', price: 1, default: true },
      { id: 'p2', price: 2 },
    ];
    expect(shortForm((await validated(document)).failures)).toEqual([]);
  });
});
