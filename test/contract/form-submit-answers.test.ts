import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const options = ['s', 'm', 'l'].map((value) => ({ value, label: {} }));
const types = 'TEXT TEXTAREA EMAIL PHONE NUMBER URL DATE TIME DATETIME CHECKBOX RATING FILE CONSENT HIDDEN'.split(' ');
const choices = ['SELECT', 'MULTI_SELECT', 'RADIO'];
const everyType = [...types, ...choices];
const attachment = (workspaceId: string, id: string) => ({
  id,
  name: 'menu.pdf',
  type: 'application/pdf',
  size: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  s3Key: `workspaces/${workspaceId}/drive/messaging/2026-01/${id}/menu.pdf`,
});

const refOf = (type: string) => type.toLowerCase();
const withFiles =
  (...ids: string[]) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test's document is its own affair; the import checks it.
  (document: any) => {
    document.attachments = ids.map((id) => attachment(document.workspace.id, id));
  };

const forms = await openWorkspace(
  'forms',
  withForms(
    [
      form('every', [
        ...types.map((type) => field(refOf(type), type)),
        ...choices.map((type) => field(refOf(type), type, { options })),
      ]),
      form(
        'required',
        everyType.map((type) =>
          field(refOf(type), type, { required: true, ...(choices.includes(type) && { options }) }),
        ),
      ),
    ],
    withFiles('att_1', 'att_2', 'att_3'),
  ),
);
const other = await openWorkspace('forms', withForms([], withFiles('att_theirs')));

/** The stored answer. */
async function accepted(type: string, given: unknown): Promise<unknown> {
  const { status, headers, text } = await forms.submit('every', { [refOf(type)]: given });
  expect([status, text]).toEqual([200, expect.any(String)]);
  return (await forms.answersOf(headers['x-form-response-id']))[refOf(type)];
}

async function codesOf(slug: string, body: object): Promise<string[]> {
  const { status, json } = await forms.submit(slug, body);
  expect([status, json.code]).toEqual([400, 'validation_failed']);
  return issuesOf({ json });
}

const lemon = '\u{1F34B}';

it('a form has 17 types of fields', () => expect(everyType).toHaveLength(17));

describe('an answer is stored in the type of its field', () => {
  it.each<[string, unknown, unknown?]>([
    ['TEXT', ' Lina ', ' Lina '],
    ['TEXT', '=1+1'],
    ['TEXTAREA', 'a\nb\u0001'],
    ['HIDDEN', `لينا ${lemon}`],
    ['EMAIL', ' a@b.co\n', 'a@b.co'],
    ['PHONE', ' +966 (50) 000-0000 ', '+966 (50) 000-0000'],
    ['PHONE', '०२२ ४००० ५५५५', '022 4000 5555'],
    ['PHONE', '\u2067+٩٧٤ ٤٤٤٤ ٠٠٠٠ #٧\u2069', '+974 4444 0000 #7'],
    ['EMAIL', '\u200fa@b.co\u00a0', 'a@b.co'],
    ['EMAIL', 'A.b@Ñandú.example', 'A.b@xn--and-6ma2c.example'],
    ['URL', '\u202ahttps://example.com/a\u202c', 'https://example.com/a'],
    ['URL', ' https://example.com/a?b=c#d ', 'https://example.com/a?b=c#d'],
    ['NUMBER', 0],
    ['NUMBER', -0, 0],
    ['NUMBER', -1.5e-7],
    ['NUMBER', '0', 0],
    ['NUMBER', ' -12.50 ', -12.5],
    ['NUMBER', '.5', 0.5],
    ['NUMBER', '1e3', 1000],
    ['NUMBER', '−٣٫٢٥', -3.25],
    ['NUMBER', '\u200f۱۲۰\u00a0', 120],
    ['NUMBER', '៤', 4],
    ['RATING', '4', 4],
    ['RATING', '৫', 5],
    ['RATING', 4.5],
    ['DATE', '2028-02-29'],
    ['DATE', '\u200e२०२८-०२-२९ ', '2028-02-29'],
    ['TIME', '09:30'],
    ['TIME', '٢٣:٠٥', '23:05'],
    ['TIME', '23:59:59.999'],
    ['DATETIME', '2026-01-31T09:30'],
    ['DATETIME', '2026-01-31T09:30:00.5+03:00'],
    ['DATETIME', '2026-01-31T09:30:00Z'],
    ['DATETIME', ' ٢٠٢٦-٠١-٣١T٠٩:٣٠+٠٣:٠٠\u200f', '2026-01-31T09:30+03:00'],
    ['SELECT', 'm'],
    ['RADIO', 'l'],
    ['MULTI_SELECT', ['l', 's']],
    ['CHECKBOX', true],
    ['CHECKBOX', 'on', true],
    ['CHECKBOX', 'true', true],
    ['CHECKBOX', false],
    ['CHECKBOX', 'off', false],
    ['CONSENT', 'false', false],
    ['CONSENT', 'on', true],
    ['FILE', 'att_1', ['att_1']],
    ['FILE', ['att_3', 'att_1']],
  ])('%s %j', async (type, given, stored = given) => {
    expect(await accepted(type, given)).toEqual(stored);
  });
});

describe('a missing answer', () => {
  it.each(everyType)('a missing answer to %s can be null, a blank string or an empty list', async (type) => {
    for (const given of [null, '', ' \n\u00a0', '\u200f \u2069', []])
      expect(await accepted(type, given)).toBeUndefined();
  });

  it('is accepted for every field if none is required', async () => {
    expect((await forms.submit('every', {})).status).toBe(200);
  });

  it.each([[{}], [Object.fromEntries(everyType.map((type) => [refOf(type), null]))]])(
    'is refused by every required field: %j',
    async (body) => {
      expect(await codesOf('required', body)).toEqual(everyType.map((type) => `${refOf(type)} required`));
    },
  );

  it.each(['CHECKBOX', 'CONSENT'])('a missing answer to a required %s is any value but true', async (type) => {
    for (const given of [false, 'false', 'off'])
      expect(await codesOf('required', { [refOf(type)]: given })).toContain(`${refOf(type)} required`);
    const codes = await codesOf('required', { [refOf(type)]: 'on' });
    expect(codes.join()).not.toContain(refOf(type));
  });
});

describe('an answer of another type is refused', () => {
  const objects = [{}, { a: 1 }, [['a']], [1], [null], { length: 1, 0: 'a' }];
  it.each<[string, unknown[]]>([
    ['TEXT', [1, true, ['a'], ...objects]],
    ['TEXTAREA', [1, false, ['a'], ...objects]],
    ['EMAIL', [1, true, ['a@b.co'], ...objects]],
    ['PHONE', [966500000000, true, ['+966500000000'], ...objects]],
    ['URL', [1, true, ['https://a.co'], ...objects]],
    [
      'NUMBER',
      [true, 'one', '1,5', '0x10', '1_000', '١٬٠٠٠', '½', '+5', '5.', '--1', 'NaN', 'Infinity', [1], ...objects],
    ],
    ['RATING', [true, 'four', '4 stars', ['4'], ...objects]],
    ['DATE', [20260131, true, ['2026-01-31'], ...objects]],
    ['TIME', [930, true, ['09:30'], ...objects]],
    ['DATETIME', [0, true, ['2026-01-31T09:30'], ...objects]],
    ['SELECT', [1, true, ['s'], ...objects]],
    ['RADIO', [1, true, ['s'], ...objects]],
    ['MULTI_SELECT', [1, true, 's', ...objects]],
    ['CHECKBOX', [1, 0, 'yes', 'TRUE', ' on ', ['on'], ...objects]],
    ['CONSENT', [1, 'ON', ['true'], ...objects]],
    ['FILE', [1, true, ...objects]],
    ['HIDDEN', [1, true, ['a'], ...objects]],
  ])('a field %s refuses answers of another type', async (type, wrong) => {
    for (const given of wrong)
      expect(await codesOf('every', { [refOf(type)]: given })).toEqual([`${refOf(type)} type`]);
  });
});

describe("an answer outside the form's rules is refused", () => {
  it.each<[string, string, unknown[]]>([
    ['TEXT', 'format', ['\ud800', 'a\udc00', '\0', 'چای\0']],
    ['TEXTAREA', 'format', ['one\n\0two']],
    ['HIDDEN', 'format', ['\0x']],
    [
      'EMAIL',
      'format',
      ['a', 'a@b', 'a\0@b.co', 'a b@c.co', '<a@b.co>', 'a@b.co,c@d.co', 'a@b.co\nBcc: c@d.co', 'ä@b.co', '@b.co'],
    ],
    [
      'PHONE',
      'format',
      ['1234', '12345\0', '+966 50 000 00 00 00 00 00 00 00 00 00 00', '0500abc', '-----', '12345;ext=1'],
    ],
    [
      'URL',
      'format',
      [
        'example.com',
        'ftp://a.co',
        'javascript:alert(1)',
        'https:a.co',
        'http://',
        'https://a.co/\nb',
        'https://a.co/\0',
      ],
    ],
    ['NUMBER', 'max', ['1e400', '9'.repeat(400)]],
    ['NUMBER', 'min', ['-1e400']],
    ['DATE', 'format', ['2026-02-29', '2026-1-31', '31.01.2026', '2026-01-31T00:00', '2026 01 31', '2026-13-01']],
    ['TIME', 'format', ['9:30', '09:30\0', '24:00', '09:60', '09:30Z', '09:30:61', '09:60:60', '9.30']],
    [
      'DATETIME',
      'format',
      ['2026-01-31', '2026-01-31 09:30', '2026-01-31T9:30', '2026-01-31T09:30+3', '2026-02-30T00:00'],
    ],
    ['SELECT', 'format', ['s\0']],
    ['MULTI_SELECT', 'format', [['s', '\0'], ['m\ud800']]],
    ['SELECT', 'not_allowed', ['x', 'S', ' s', 's,m', '__proto__']],
    ['RADIO', 'not_allowed', ['x', 'constructor']],
    ['MULTI_SELECT', 'not_allowed', [['x'], ['s', 'x'], ['s', 's'], [''], ['s', ' ']]],
    [
      'FILE',
      'not_allowed',
      ['att_gone', 'att_theirs', ['att_1', 'att_gone'], ['att_1', 'att_1'], '../att_1', 'a#b', [''], 'x'.repeat(129)],
    ],
    ['FILE', 'max_items', [Array.from({ length: 21 }, (_, index) => `att_${index}`)]],
  ])('a field %s refuses answers outside its rules: %s', async (type, code, wrong) => {
    for (const given of wrong)
      expect(await codesOf('every', { [refOf(type)]: given })).toEqual([`${refOf(type)} ${code}`]);
  });

  it('a file of another workspace is refused like a missing file', async () => {
    expect((await other.stored()).responses).toEqual([]);
    const theirs = await forms.submit('every', { file: 'att_theirs' });
    const none = await forms.submit('every', { file: 'x' });
    expect(theirs.text).toBe(none.text);
  });

  it("the refusal of an answer outside the form's rules names its field", async () => {
    const { json } = await forms.submit('every', { email: 'x', number: 'x', select: 'x', nope: 'x' });
    for (const { path, message } of json.errors) expect(message).toMatch(new RegExp(`^${path}: .+\\.$`));
    expect(json.message).toBe('The request has 4 issues; see errors.');
  });
});

describe('a ref', () => {
  it('that the form does not have is refused with every value', async () => {
    for (const value of [null, '', [], {}, 'x'])
      expect(await codesOf('every', { nope: value })).toEqual(['nope unknown_field']);
    for (const ref of ['', 'TEXT', 'text ', 'text.a', 'a[0]', 'toString', 'hasOwnProperty', 'ff_text'])
      expect(await codesOf('every', { [ref]: 'x' })).toEqual([`${ref} unknown_field`]);
  });

  it('can be a name of Object.prototype', async () => {
    const names = ['toString', 'valueOf', 'hasOwnProperty', 'length', 'then'];
    const fieldsOf = (type: string) => names.map((name) => field(name, type));
    const own = await openWorkspace(
      'forms',
      withForms([form('text', fieldsOf('TEXT')), form('file', fieldsOf('FILE'))]),
    );
    for (const slug of ['text', 'file']) expect((await own.submit(slug, {})).status).toBe(200);
    const answers = Object.fromEntries(names.map((name) => [name, `of ${name}`]));
    expect((await own.submit('text', answers)).status).toBe(200);
    expect((await own.stored()).responses.map((response) => response.answers)).toEqual([{}, {}, answers]);
  });
});

describe('keys that start with _', () => {
  it('are stored beside the answers with any content', async () => {
    const meta = { _: 1, _hp: '', _lang: 'ar', _source: { page: '/', tags: [null, true, 1.5] }, _empty: null, __x: [] };
    const { headers } = await forms.submit('every', { ...meta, text: 'x' });
    const stored = (await forms.stored()).responses.find(({ id }) => id === headers['x-form-response-id']);
    expect([stored.meta, stored.answers]).toEqual([meta, { text: 'x' }]);
  });

  it('are not answers, not even to a required field', async () => {
    expect(await codesOf('required', { _text: 'x' })).toContain('text required');
  });
});
