import { describe, expect, it } from '@jest/globals';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const forms = await openWorkspace(
  'forms',
  withForms([
    form('open', [field('text', 'TEXT'), field('file', 'FILE')]),
    form('choice', [field('choice', 'SELECT', { options: [{ value: 'a', label: { en: 'A' } }] })]),
  ]),
);
const nested = (depth: number, inner = '1') => `${'{"a":'.repeat(depth)}${inner}${'}'.repeat(depth)}`;

async function expectRefused(body: unknown, code: string): Promise<{ path: string; code: string }[]> {
  const { status, json } = await forms.submit('open', body);
  expect([status, json.code]).toEqual([400, code]);
  expect(Object.keys(json)).toEqual(['message', 'code', 'errors']);
  expect(json.errors.length).toBeGreaterThan(0);
  return json.errors;
}

describe('a body that is not a JSON object is refused', () => {
  it.each<[string, unknown]>([
    ['nothing', Buffer.alloc(0)],
    ['a lone brace', '{'],
    ['a trailing comma', '{"text":"a",}'],
    ['two values', '{}{}'],
    ['NaN', '{"text":NaN}'],
    ['a byte order mark', Buffer.from('\ufeff{}')],
    ['UTF-16', Buffer.from('{"text":"a"}', 'utf16le')],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['half a character', Buffer.from([0x22, 0xd8, 0x22])],
    ['a hundred thousand levels', '['.repeat(100_000)],
    ['half a million levels of objects', nested(150_000)],
    ['null', 'null'],
    ['a list', '[]'],
    ['a list of answers', [{ text: 'a' }]],
    ['a string', '"text"'],
    ['a number', '1'],
    ['true', 'true'],
  ])('%s', async (_, body) => {
    expect((await expectRefused(body, 'invalid_body')).map(({ path }) => path)).toEqual(['']);
  });
});

describe('names of the prototype chain are refused', () => {
  const names = ['__proto__', 'constructor', 'prototype'];

  it.each(names)('a name of the prototype chain is refused as a ref: %s', async (name) => {
    for (const value of ['null', '"x"', '{"isAdmin":true}', '[]']) {
      expect(await expectRefused(`{"text":"a","${name}":${value}}`, 'validation_failed')).toEqual([
        expect.objectContaining({ path: name, code: 'not_allowed' }),
      ]);
    }
  });

  it.each(names)('a name of the prototype chain is refused in metadata, at any depth: %s', async (name) => {
    for (const value of [`{"${name}":1}`, `[[{"${name}":{}}]]`, nested(5, `{"${name}":1}`)]) {
      expect(await expectRefused(`{"_meta":${value}}`, 'validation_failed')).toEqual([
        expect.objectContaining({ path: '_meta', code: 'not_allowed' }),
      ]);
    }
  });

  it.each(names)('a name of the prototype chain is refused in an answer: %s', async (name) => {
    await expectRefused(`{"text":{"${name}":1}}`, 'validation_failed');
    await expectRefused(`{"file":[{"${name}":1}]}`, 'validation_failed');
    await expectRefused(`{"unknown":{"${name}":1}}`, 'validation_failed');
  });

  it('change no prototype', () => {
    expect([({} as { isAdmin?: boolean }).isAdmin, ({} as { a?: number }).a]).toEqual([undefined, undefined]);
  });
});

describe('metadata', () => {
  it.each<[string, string, string]>([
    ['more than 30 levels', nested(31), 'too_large'],
    ['400 levels', nested(400), 'too_large'],
    ['a lone surrogate', '["\\ud800"]', 'format'],
    ['a lone surrogate in a name', '{"\\udc00":1}', 'format'],
    ['a number out of range', '{"a":[1e400]}', 'max'],
  ])('is refused with %s', async (_, value, code) => {
    expect(await expectRefused(`{"_meta":${value}}`, 'validation_failed')).toEqual([
      expect.objectContaining({ path: '_meta', code }),
    ]);
  });

  it('is stored with 30 levels', async () => {
    expect((await forms.submit('open', `{"_meta":${nested(30)}}`)).status).toBe(200);
  });

  it('is refused with a lone surrogate in its name', async () => {
    await expectRefused('{"_\\ud800":1}', 'validation_failed');
  });
});

describe('a large body', () => {
  /** A response with this id takes so many bytes beside the text. */
  const most = 350 * 1_024;

  it('is refused if its response exceeds 350 KB, and nothing is stored', async () => {
    const own = await openWorkspace('forms', withForms([form('open', [field('text', 'TEXT')])]));
    const sizes: number[] = [];
    for (let length = most - 170; length <= most + 10; length += 20) {
      const { status, json } = await own.submit('open', { text: 'x'.repeat(length) });
      if (status === 400) expect(json.errors).toMatchObject([{ path: '', code: 'too_large' }]);
      else sizes.push(length);
    }
    const stored = (await own.stored()).responses;
    expect(stored.length).toBe(sizes.length);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.length).toBeLessThan(10);
    const largest = Math.max(...stored.map((response) => Buffer.byteLength(JSON.stringify(response))));
    expect(largest).toBeLessThanOrEqual(most);
    expect(largest).toBeGreaterThan(most - 20);
  });

  it('is measured in bytes', async () => {
    expect((await forms.submit('open', { text: 'ن'.repeat(100_000) })).status).toBe(200);
    expect((await forms.submit('open', { text: 'ن'.repeat(180_000) })).json.code).toBe('validation_failed');
    expect((await forms.submit('open', { _meta: '\u0000'.repeat(60_000) })).json.code).toBe('validation_failed');
  });

  it('is accepted up to exactly 1 MB, and refused with one more byte (413)', async () => {
    const body = '{"text":"a"}';
    expect((await forms.submit('open', body.padEnd(1_048_576))).status).toBe(200);
    expect((await forms.submit('open', body.padEnd(1_048_577))).status).toBe(413);
  });

  it('a large body with eighty thousand errors is answered with as many as fit', async () => {
    const refs = Array.from({ length: 80_000 }, (_, index) => `"r${index}":1`);
    const { status, json, text } = await forms.submit('open', `{${refs.join()}}`);
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(JSON.stringify(text).length).toBeLessThan(6_000_000);
  });
});

it('an answer of half a million marks, which the engine would sort for minutes, is refused', async () => {
  const { status, json } = await forms.submit('choice', { choice: `a${'\u0301\u0316'.repeat(250_000)}` });
  expect([status, json.errors[0].code]).toEqual([400, 'not_allowed']);
});
