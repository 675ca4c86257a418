import { describe, expect, it } from '@jest/globals';
import type { Form } from '#lib/domain/forms/form.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import type { FormField } from '#lib/domain/forms/form-view.ts';
import { type AnsweredForm, responseMail } from '#lib/mail/response-mail.ts';

const field = (ref: string, type: FormField['type'], rest: Partial<FormField> = {}): FormField => ({
  id: `f_${ref}`,
  ref,
  title: { en: `Title of ${ref}` },
  type,
  order: 0,
  validations: {},
  ...rest,
});

const form = (fields: FormField[], rest: Partial<Form> = {}): Form => ({
  id: 'form_1',
  slug: 'contact',
  title: { en: 'Contact us' },
  enabled: true,
  notifications: { emails: [] },
  fields,
  ...rest,
});

const response = (answers: FormResponse['answers']): FormResponse => ({
  id: 'res_1',
  formId: 'form_1',
  answers,
  meta: {},
  createdAt: '2026-01-07T00:00:00.000Z',
});

const mailOf = (answered: Partial<AnsweredForm> & { readonly answers: FormResponse['answers'] }) =>
  responseMail({ form: form([]), languages: ['en', 'ar'], response: response(answered.answers), ...answered });

/** The mail for one answer to a text field. */
const mailOfText = (text: string) => mailOf({ answers: { text }, form: form([field('text', 'TEXTAREA')]) });

const wholeText = `Contact us
==========

Title of b
  Second

Title of a
  First

-- 
Response res_1, received 2026-01-07T00:00:00.000Z
`;

describe('the text part', () => {
  it('has the answers under their titles in form order, and nothing of fields without an answer', () => {
    const fields = [field('a', 'TEXT', { order: 2 }), field('b', 'TEXT', { order: 1 }), field('c', 'TEXT')];
    expect(mailOf({ answers: { a: 'First', b: 'Second' }, form: form(fields) }).text).toBe(wholeText);
  });

  it.each([
    ['a line feed', '\n'],
    ['a carriage return', '\r'],
    ['both', '\r\n'],
    ['a vertical tab', '\v'],
    ['a form feed', '\f'],
    ['a next line', '\u0085'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
  ])('lets no line of an answer begin where a title does, after %s', (_, lineBreak) => {
    const { text } = mailOfText(['Yes', '', 'E-mail', 'boss@example.com', '-- '].join(lineBreak));
    expect(text).toContain('Title of text\n  Yes\n  \n  E-mail\n  boss@example.com\n  -- \n\n-- \nResponse');
  });

  it('shows the domain of an address in Unicode, and answers to it in ASCII', () => {
    const mail = mailOf({
      answers: { to: 'a@xn--crme-6oa.example' },
      form: form([field('to', 'EMAIL')]),
    });
    expect([mail.replyTo, mail.text]).toEqual([
      'a@xn--crme-6oa.example',
      expect.stringContaining('Title of to\n  a@crème.example\n'),
    ]);
  });

  it('lets no item of a list pass for another', () => {
    const answers = { many: ['one\n- two', 'three'] };
    const { text } = mailOf({ answers, form: form([field('many', 'MULTI_SELECT')]) });
    expect(text).toContain('Title of many\n  - one\n    - two\n  - three\n');
  });

  it('has no control and no bidi characters', () => {
    const { text, html } = mailOfText('a\u0000b\u001b[31mc\u007fd\u009be\u202ef\u2066g\u200fh\u061ci\tj');
    expect(text).toContain('\n  ab[31mcdefghi j\n');
    expect(text + html).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });

  it('replaces lone surrogates', () => {
    expect(mailOfText('a\ud800b').text).toContain('  a\ufffdb\n');
  });
});

describe('the HTML part', () => {
  it('shows markup as text, in answers, titles, refs and labels', () => {
    const evil = `</title><script>alert("1")</script><a href='x'>&amp;`;
    const options = [{ value: 'x', label: { en: evil } }];
    const fields = [
      field('text', 'TEXT', { title: { en: evil } }),
      field('pick', 'SELECT', { validations: { options } }),
    ];
    const answers = { text: evil, pick: 'x', [evil]: evil };
    const { html } = mailOf({ answers, form: form(fields, { title: { en: evil } }) });
    const tags = ['<html', '<head', '<meta', '<title', '<body', '<h1', '<h2', '<div', '<p'];
    expect([...new Set(html.match(/<[a-z0-9]+/g))]).toEqual(tags);
    expect(html).not.toMatch(/<script|<a |href='x'/);
    expect(html).toContain(
      '&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;a href=&#39;x&#39;&gt;&amp;amp;',
    );
  });

  it('declares the language, and each text has its own direction', () => {
    const { html } = mailOf({
      answers: { text: 'مرحبا' },
      languages: ['ar', 'en'],
      form: form([field('text', 'TEXT')]),
    });
    expect(html).toContain('<html lang="ar">');
    expect(html).toMatch(/<div dir="auto"[^>]*>مرحبا<\/div>/);
  });
});

describe('an answer', () => {
  const shown = (type: FormField['type'], answer: FormResponse['answers'][string], rest: Partial<FormField> = {}) => {
    const { text } = mailOf({ answers: { it: answer }, form: form([field('it', type, rest)]) });
    return text.split('Title of it\n')[1]?.split('\n\n')[0];
  };
  const options: FormField['validations']['options'] = [
    { value: 's', label: { en: 'Small', ar: 'صغير' } },
    { value: 'xl', label: {} },
  ];

  it.each([
    ['a number', 'NUMBER', 4.5, '  4.5'],
    ['a number that is 0', 'RATING', 0, '  0'],
    ['yes', 'CONSENT', true, '  Yes'],
    ['no', 'CHECKBOX', false, '  No'],
    ['an option', 'SELECT', 's', '  Small (s)'],
    ['an option without a label', 'RADIO', 'xl', '  xl'],
    ['an option that the form no longer has', 'RADIO', 'm', '  m'],
    ['several options', 'MULTI_SELECT', ['s', 'xl'], '  - Small (s)\n  - xl'],
    ['a file', 'FILE', ['att_1'], '  att_1'],
  ] as const)('that is %s is shown', (_, type, answer, lines) => {
    expect(shown(type, answer as never, { validations: { options } })).toBe(lines);
  });

  it('an answer to a field that the form no longer has comes last, under its ref', () => {
    const { text } = mailOf({ answers: { gone: 'Old', kept: 'New' }, form: form([field('kept', 'TEXT')]) });
    expect(text).toContain('Title of kept\n  New\n\ngone\n  Old\n');
  });

  it('may have a ref that every object has a member of', () => {
    const { text } = mailOf({
      answers: { toString: 'One' },
      form: form([field('valueOf', 'TEXT'), field('toString', 'TEXT')]),
    });
    expect(text).toContain('==========\n\nTitle of toString\n  One\n\n-- ');
  });

  it('that is very long is cut, with a note of its length', () => {
    const long = '\u{1f35b}'.repeat(34_567);
    const { text, html } = mailOfText(long);
    const note = '[Cut: the whole answer has 34,567 characters and is stored with the response.]';
    expect(text).toContain(`\n  ${'\u{1f35b}'.repeat(10_000)}\n${note}\n`);
    expect(html).toContain(`>${note}<`);
    expect(text.length).toBeLessThan(21_000);
  });

  it('an answer of many long items is cut as a whole', () => {
    const answers = { many: Array.from({ length: 30 }, () => 'x'.repeat(1_000)) };
    const { text } = mailOf({ answers, form: form([field('many', 'FILE')]) });
    expect(text.match(/x{1000}/g)).toHaveLength(10);
    expect(text).toContain('[Cut: the whole answer has 30,000 characters');
  });
});

describe('the fixed words', () => {
  it('are in Arabic when that is the default language of the workspace', () => {
    const answers = { yes: true, no: false, long: 'x'.repeat(12_345) };
    const fields = [field('yes', 'CONSENT'), field('no', 'CHECKBOX'), field('long', 'TEXTAREA')];
    for (const language of ['ar', 'ar-SA']) {
      const { text, html } = mailOf({ answers, languages: [language, 'en'], form: form(fields) });
      for (const shown of ['نعم', 'لا', '12,345', 'الرد res_1، وصل في 2026-01-07T00:00:00.000Z']) {
        expect(text).toContain(shown);
        expect(html).toContain(shown);
      }
      expect(text + html).not.toMatch(/Yes|No$|Cut|Response/m);
      expect(html).toMatch(/<p dir="auto"[^>]*>الرد/);
    }
    expect(mailOf({ answers, languages: ['arn', 'ar'], form: form(fields) }).text).toContain('Yes');
  });
});

describe('titles', () => {
  it('are in the default language of the workspace, else in another of its languages, else in any', () => {
    const titled = (title: FormField['title']) =>
      mailOf({
        answers: { it: 'x' },
        languages: ['ar', 'en'],
        form: form([field('it', 'TEXT', { title })], { title }),
      });
    expect(titled({ en: 'English', ar: 'عربي' }).text).toMatch(/^عربي\n=+\n\nعربي\n {2}x\n/);
    expect(titled({ fr: 'Français', en: 'English', ar: ' \u200f ' }).subject).toBe('English');
    expect(titled({ fr: 'Français' }).subject).toBe('Français');
    expect(titled({}).text).toMatch(/^contact\n=+\n\nit\n/);
  });

  it('are one line each', () => {
    const title = { en: ' Two\r\n  lines\u2028and\tmore ' };
    const { text, subject } = mailOf({ answers: { it: 'x' }, form: form([field('it', 'TEXT', { title })], { title }) });
    expect(subject).toBe('Two lines and more');
    expect(text).toMatch(/^Two lines and more\n=+\n\nTwo lines and more\n {2}x\n/);
  });
});

describe('the subject', () => {
  const subjectOf = (title: string) => mailOf({ answers: {}, form: form([], { title: { en: title } }) }).subject;

  it('has no control or bidi characters, so that it cannot become a header', () => {
    expect(subjectOf('Order\r\nBcc: all@example.com\u0000\u202e!')).toBe('Order Bcc: all@example.com!');
  });

  it('has at most 120 characters, none of them split', () => {
    expect(subjectOf('x'.repeat(120))).toBe('x'.repeat(120));
    expect(subjectOf('\u{1f35b}'.repeat(121))).toBe(`${'\u{1f35b}'.repeat(119)}…`);
  });

  it('is the id of the form if the form is missing', () => {
    expect(mailOf({ answers: { a: 'b' }, form: undefined }).subject).toBe('form_1');
  });
});

describe('Reply-To', () => {
  const fields = [
    field('note', 'TEXT', { order: 1 }),
    field('second', 'EMAIL', { order: 3 }),
    field('first', 'EMAIL', { order: 2 }),
  ];
  const replyTo = (answers: FormResponse['answers']) => mailOf({ answers, form: form(fields) }).replyTo;

  it('is the first valid answer to an EMAIL field, in form order', () => {
    expect(replyTo({ note: 'x@example.com', second: 'b@example.com', first: 'a@example.com' })).toBe('a@example.com');
    expect(replyTo({ second: 'b@example.com' })).toBe('b@example.com');
    expect(replyTo({ note: 'x@example.com' })).toBeUndefined();
  });

  it.each(['a@b.co\nBcc: c@d.co', 'A <a@b.co>', 'a@b.co, c@d.co', 'a@b', 'a b@c.co', ''])('is never %j', (first) => {
    expect(replyTo({ first, second: 'b@example.com' })).toBe('b@example.com');
    expect(replyTo({ first })).toBeUndefined();
  });
});

it('the mail of a response stays within the limits of a mail for any response', () => {
  const fields = Array.from({ length: 100 }, (_, number) => field(`f${number}`, 'TEXTAREA'));
  const answers = Object.fromEntries(fields.map(({ ref }) => [ref, `"\n`.repeat(1_750)]));
  const { text, html } = mailOf({ answers, form: form(fields) });
  expect(Buffer.byteLength(text) + Buffer.byteLength(html)).toBeLessThan(5 * 1_048_576);
});
