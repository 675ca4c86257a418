import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { itLong } from '#test/support/long-run.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { computedMilliseconds } from '#test/support/spent-time.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const lemon = '\u{1F34B}';
const options = ['s', 'm', 'l'].map((value) => ({ value, label: {} }));
const message = { ar: 'خطأ', en: 'Wrong.', 'en-GB': 'Quite wrong.' };

const fields = [
  field('text', 'TEXT', { minLength: 2, maxLength: 4 }),
  field('area', 'TEXTAREA', { maxLength: 0 }),
  field('email', 'EMAIL', { maxLength: 8 }),
  field('url', 'URL', { pattern: 'https://.+' }),
  field('phone', 'PHONE', { minLength: 8, pattern: '\\+.*' }),
  field('code', 'TEXT', { pattern: '[a-c]+|x' }),
  field('any', 'TEXTAREA', { pattern: '[^]*', maxLength: 5_000 }),
  field('hidden', 'HIDDEN', { pattern: '\\d{3}' }),
  field('number', 'NUMBER', { min: -1, max: 10, step: 0.1 }),
  field('rating', 'RATING', { min: 1, max: 5, step: 2 }),
  field('even', 'NUMBER', { step: 2 }),
  field('guests', 'NUMBER', { min: 1, max: 12, step: 1 }),
  field('date', 'DATE', { minDate: '2026-01-31', maxDate: '2026-02-02' }),
  field('time', 'TIME', { minDate: '09:30', maxDate: '17:00:00' }),
  field('night', 'TIME', { minDate: '22:30', maxDate: '04:00' }),
  field('early', 'TIME', { maxDate: '04:00' }),
  field('moment', 'DATETIME', { minDate: '2026-01-31T09:30:00+03:00', maxDate: '2026-02-01T23:59:59' }),
  field('many', 'MULTI_SELECT', { options, minItems: 2, maxItems: 2 }),
  field('free', 'SELECT'),
  field('none', 'RADIO', { options: [] }),
  field('files', 'FILE', { minItems: 2, maxItems: 2 }),
  field('spoken', 'EMAIL', { required: true, message }),
];

const forms = await openWorkspace(
  'forms',
  withForms(
    [
      form('bounds', fields),
      form('polite', [field('size', 'TEXT', { maxLength: 1, message: { ar: ' ', en: 'Short.' } })]),
    ],
    (document) => {
      document.workspace.languages = ['ar', 'en', 'en-GB'];
      document.attachments = ['att_1', 'att_2', 'att_3'].map((id) => ({
        id,
        name: 'a',
        type: 'text/plain',
        size: 1,
        createdAt: '2026-01-01T00:00:00.000Z',
        s3Key: `workspaces/${document.workspace.id}/drive/messaging/2026-01/${id}/a`,
      }));
    },
  ),
);

async function codesOf(ref: string, given: unknown): Promise<string[]> {
  const { status, json } = await forms.submit('bounds', { spoken: 'a@b.co', [ref]: given });
  if (status === 200) return [];
  expect([status, json.code]).toEqual([400, 'validation_failed']);
  for (const { path } of json.errors) expect(path).toBe(ref);
  return json.errors.map(({ code }: { code: string }) => code);
}

it.each([
  ['guests', 2.5, 'Must be a whole number.'],
  ['even', 3, 'Must be 0 plus a multiple of 2.'],
])('a value of %s between two steps is refused in words: %d', async (ref, given, message) => {
  const { json } = await forms.submit('bounds', { spoken: 'a@b.co', [ref]: given });
  expect(json.errors).toEqual([{ path: ref, code: 'step', message: expect.stringContaining(message) }]);
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => `att_${index + 1}`);

describe('a validation', () => {
  it.each<[string, unknown, string[]]>([
    ['text', 'ab', []],
    ['text', 'abcd', []],
    ['text', lemon.repeat(4), []],
    ['text', lemon, ['min_length']],
    ['text', ' a ', []],
    ['text', 'abcde', ['max_length']],
    ['area', 'a', ['max_length']],
    ['email', '  a@bcd.co  ', []],
    ['email', 'a@bcde.co', ['max_length']],
    ['email', 'not a mail', ['format', 'max_length']],
    ['url', 'https://a', []],
    ['url', 'http://a.co', ['pattern']],
    ['url', 'a.co', ['format', 'pattern']],
    ['phone', '12345', ['min_length', 'pattern']],
    ['code', 'abc', []],
    ['code', 'x', []],
    ['code', 'xx', ['pattern']],
    ['code', 'abcd', ['pattern']],
    ['code', 'a\n', ['pattern']],
    ['hidden', '123', []],
    ['hidden', '1234', ['pattern']],
    ['any', 'x'.repeat(1_000), []],
    ['any', lemon.repeat(1_000), []],
    ['any', 'x'.repeat(1_001), ['max_length']],
    ['number', -1, []],
    ['number', 10, []],
    ['number', 0.3, []],
    ['number', '9.9', []],
    ['number', -1.1, ['min']],
    ['number', 10.1, ['max']],
    ['number', 0.35, ['step']],
    ['number', 10.05, ['max', 'step']],
    ['number', 1e-300, ['step']],
    ['rating', 3, []],
    ['rating', 2, ['step']],
    ['rating', 6, ['max', 'step']],
    ['rating', 0, ['min', 'step']],
    ['even', 4, []],
    ['even', -2, []],
    ['even', 3, ['step']],
    ['even', 1e308, []],
    ['date', '2026-01-31', []],
    ['date', '2026-02-02', []],
    ['date', '2026-01-30', ['min']],
    ['date', '2026-02-03', ['max']],
    ['time', '09:30:00', []],
    ['time', '17:00', []],
    ['time', '17:00:00.000', []],
    ['time', '09:29:59.9', ['min']],
    ['time', '17:00:00.001', ['max']],
    ['night', '22:30', []],
    ['night', '23:59:59.999', []],
    ['night', '00:00', []],
    ['night', '03:15', []],
    ['night', '04:00:00', []],
    ['night', '04:00:00.1', ['not_allowed']],
    ['night', '12:00', ['not_allowed']],
    ['night', '22:29:59', ['not_allowed']],
    ['early', '00:00', []],
    ['early', '22:30', ['max']],
    ['moment', '2026-01-31T06:30Z', []],
    ['moment', '2026-01-31T06:30', []],
    ['moment', '2026-02-01T23:59:59', []],
    ['moment', '2026-01-31T09:29:59+03:00', ['min']],
    ['moment', '2026-01-31T06:29', ['min']],
    ['moment', '2026-02-02T00:00', ['max']],
    ['many', ['s', 'm'], []],
    ['many', ['s'], ['min_items']],
    ['many', ['s', 'm', 'l'], ['max_items']],
    ['many', ['s', 'm', 'x'], ['not_allowed', 'max_items']],
    ['free', 'anything', []],
    ['none', 'anything', ['not_allowed']],
    ['files', ids(2), []],
    ['files', 'att_1', ['min_items']],
    ['files', ids(3), ['max_items']],
  ])('a validation of %s checks an answer, case %#', async (ref, given, codes) => {
    expect(await codesOf(ref, given)).toEqual(codes);
  });

  it('does not require an answer', async () => {
    expect((await forms.submit('bounds', { spoken: 'a@b.co' })).status).toBe(200);
  });
});

describe('every error is reported', () => {
  it('with its ref and code, in the order of the fields as stored', async () => {
    const { json } = await forms.submit('bounds', {
      text: 'a',
      code: 'q',
      rating: 9,
      many: ['s'],
      other: 1,
      time: 'x',
    });
    expect(issuesOf({ json })).toEqual([
      'text min_length',
      'code pattern',
      'rating max',
      'time format',
      'many min_items',
      'spoken required',
      'other unknown_field',
    ]);
  });
});

describe("a field's own messages", () => {
  it.each([
    [undefined, 'خطأ'],
    ['en', 'Wrong.'],
    ['EN-us, ar', 'Wrong.'],
    ['en-GB', 'Quite wrong.'],
    ['fr, en;q=0.5, ar;q=0.9', 'خطأ'],
    ['de;q=1, *;q=0.1', 'خطأ'],
    ['ar;q=0, en;q=0.001', 'Wrong.'],
    [';;q=,,=', 'خطأ'],
  ])('are sent in the language of %s', async (acceptLanguage, words) => {
    const headers: Record<string, string> = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
    const { json } = await forms.submit('bounds', { spoken: 'x' }, headers);
    expect(json).toEqual({
      message: words,
      code: 'validation_failed',
      errors: [{ path: 'spoken', code: 'format', message: words }],
    });
  });

  it('are ignored when they are blank', async () => {
    const { json } = await forms.submit('polite', { size: 'ab' }, { 'accept-language': 'ar' });
    expect(json.message).toBe('Short.');
  });
});

describe('patterns and texts that make a backtracking engine stall', () => {
  const hostile = [
    '(a+)+$',
    '([a-zA-Z0-9]+\\s?)*',
    '(x+x+)+y',
    '(a|aa)+',
    '[^]*\\s+',
    '(.*)=(.*);(.*)',
    '(?:[a-z]{0,20}){0,20}!',
  ];
  const texts = [
    `${'a'.repeat(999)}!`,
    `${'a1'.repeat(500)}`,
    'x'.repeat(1_000),
    `x${' '.repeat(998)}x`,
    '='.repeat(1_000),
  ];

  it('are matched in bounded time', async () => {
    const own = await openWorkspace(
      'forms',
      withForms([
        form(
          'hostile',
          hostile.map((pattern, index) => field(`f${index}`, 'TEXT', { pattern })),
        ),
      ]),
    );
    await own.submit('hostile', {});
    for (const text of texts) {
      const answers = Object.fromEntries(hostile.map((_, index) => [`f${index}`, text]));
      const computed = await computedMilliseconds(async () => {
        expect((await own.submit('hostile', answers)).status).toBe(400);
      });
      // Seconds on any machine. A backtracking engine would take years.
      expect(computed).toBeLessThan(20_000);
    }
  });

  itLong('are refused when a whole form of them takes too long, and nothing is stored', async () => {
    const slow = Array.from({ length: 100 }, (_, index) =>
      field(`f${index}`, 'TEXT', { pattern: `(?:\\p{L}?){${999 - index}}` }),
    );
    const own = await openWorkspace('forms', withForms([form('slow', slow)]));
    const { status, json } = await own.submit(
      'slow',
      Object.fromEntries(slow.map(({ ref }) => [ref, 'x'.repeat(800)])),
    );
    expect([status, json.code]).toEqual([503, 'unavailable']);
    expect((await own.submit('slow', { f0: 'x'.repeat(800) })).status).toBe(200);
    expect((await own.stored()).responses).toHaveLength(1);
  });

  it.each([
    ['email', 'a@'],
    ['email', ''],
    ['url', 'https://'],
    ['phone', ''],
    ['number', '1.'],
    ['number', '1e'],
    ['time', '09:30:00.'],
    ['moment', '2026-01-31T09:30:00.'],
  ])('take bounded time in a field without a pattern: %s %s', async (ref, start) => {
    for (const piece of ['0', 'a', ' ', '1.']) {
      const text = `${start}${piece.repeat(Math.floor(900_000 / piece.length))}1`;
      const computed = await computedMilliseconds(async () => {
        const { status } = await forms.submit('bounds', { spoken: 'a@b.co', [ref]: text });
        expect([200, 400]).toContain(status);
      });
      // An engine that starts at each of the 900,000 characters would take minutes.
      expect(computed).toBeLessThan(20_000);
    }
  });
});
