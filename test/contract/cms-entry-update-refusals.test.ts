import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { type Answer, call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen');
const key = kitchen.keys.chief;
const path = '/api/public/cms/things/thing_1?maxDepth=0&includeHidden=true';
const update = (field: string, json: string) => call(`PATCH ${path}`, { key, body: `{"values":{"${field}":${json}}}` });
const read = async () => (await call(`GET ${path}`, { key })).text;
const untouched = await read();

async function expectRefused(answer: Answer, expected: readonly string[]): Promise<void> {
  expect(answer.status).toBe(400);
  expect(answer.json.code).toBe('validation_failed');
  expect(issuesOf(answer)).toEqual(expected);
  for (const { message } of answer.json.errors) expect(message).toMatch(/ .*\.$/);
  expect(await read()).toBe(untouched);
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const nestedObject = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const text = (value: string) => JSON.stringify(value);
const image = (rest: string) => `{"id":"img_1","url":"https://a.co/1.png"${rest}}`;

describe('a value of another type is 400 type', () => {
  const strings = ['title', 'long', 'day', 'moment', 'email', 'url', 'phone', 'size', 'secret', 'chef'];
  const notText = ['1', 'true', '["x"]', '{"en":"x"}', '[]', '{}'];
  it.each([
    ...strings.flatMap((field) => notText.map((json) => [field, json])),
    ...['"x"', '1', '["x"]', 'false'].map((json) => ['rich', json]),
    ...['"1"', 'true', '[]', '{}', '""'].map((json) => ['amount', json]),
    ...['"true"', '0', '1', '[]', '{}', '""'].map((json) => ['active', json]),
    ...['"hot"', '1', '{}', '["hot",1]', '[null]', '[["hot"]]'].map((json) => ['tags', json]),
    ...['"img_1"', '1', '[]', 'true'].map((json) => ['picture', json]),
    ...['"img_1"', '1', '{}', '["img_1"]', '[null]'].map((json) => ['pictures', json]),
  ] as [string, string][])('%s: %s', async (field, json) => {
    await expectRefused(await update(field, json), [`values.${field} type`]);
  });
});

describe('an invalid value of the right type is 400', () => {
  it.each<[string, string, ...string[]]>([
    ['amount', '1e400', 'max'],
    ['amount', '-1e400', 'max'],
    ['amount', '1.01e100', 'max'],
    ['amount', '-1.01e100', 'max'],
    ['amount', '1e-101', 'min'],
    ['amount', '-9.9e-101', 'min'],
    ...[
      '2026-02-29',
      '2026-02-30',
      '2100-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-01',
      '2026-01-00',
      '2026-1-1',
    ].map((day): [string, string, string] => ['day', text(day), 'format']),
    ...['', ' 2026-01-31', '2026-01-31T00:00:00Z', '31.01.2026', '20260131', '٢٠٢٦-٠١-٣١', '+2026-01-31', 'today'].map(
      (day): [string, string, string] => ['day', text(day), 'format'],
    ),
    ...[
      '',
      '2026-01-31',
      '2026-01-31T09:30:00',
      '2026-02-30T09:30:00Z',
      '2026-01-31T24:00:01Z',
      '2026-01-31T25:00:00Z',
      '2026-01-31T09:60:00Z',
      '2026-01-31T09:30:61Z',
      '2026-01-31T09:30:00+25:00',
      '2026-01-31 09:30:00',
      'Sat, 31 Jan 2026 09:30:00 GMT',
      '1769851800000',
    ].map((moment): [string, string, string] => ['moment', text(moment), 'format']),
    ...['', 'lina', 'lina@', '@example.com', 'a b@example.com', 'a@b@example.com', 'a@example.com\nBcc: b@c.co'].map(
      (email): [string, string, string] => ['email', text(email), 'format'],
    ),
    ...['', 'example.com', '/menu', 'ftp://a.co', 'javascript:alert(1)', 'data:text/html,x', 'https://', '//a.co'].map(
      (url): [string, string, string] => ['url', text(url), 'format'],
    ),
    ...['', '1234', '+966 50 x', '1'.repeat(41), '٠٥٠٠', '555_0100'].map((phone): [string, string, string] => [
      'phone',
      text(phone),
      'format',
    ]),
    ['size', '"l"', 'not_allowed'],
    ['size', '""', 'not_allowed'],
    ['size', '"S"', 'not_allowed'],
    ['size', '"toString"', 'not_allowed'],
    ['tags', '["hot","cold"]', 'not_allowed'],
    ['tags', '["hot","hot"]', 'duplicate'],
    ['tags', '["cold","cold"]', 'not_allowed', 'duplicate'],
    ['data', nested(31), 'too_large'],
    ['data', nestedObject(31), 'too_large'],
    ['data', nested(400), 'too_large'],
    ['data', '{"a":[1e400]}', 'max'],
    ['picture', '{}', 'required'],
    ['picture', '{"id":"img_1"}', 'required'],
    ['picture', '{"url":"https://a.co/1.png"}', 'required'],
    ['picture', '{"id":"img_1","url":" "}', 'format'],
    ['picture', '{"id":"a b","url":"https://a.co/1.png"}', 'format'],
    ['picture', image(',"extra":1'), 'unknown_field'],
    ['picture', image(',"width":-1'), 'min'],
    ['picture', image(',"alt":"x"'), 'type'],
    ['picture', image(',"alt":{"fr":"x"}'), 'not_allowed'],
    ['pictures', `[${image('')},{}]`, 'required'],
  ])('%s: %s', async (field, json, ...codes) => {
    await expectRefused(
      await update(field, json),
      codes.map((code) => `values.${field} ${code}`),
    );
  });
});

describe('a lone surrogate is 400 format', () => {
  it.each([
    ['title', '"a\\ud800b"', 'values.title'],
    ['long', '"\\udc00\\ud800"', 'values.long'],
    ['rich', '{"en":"\\ud83d"}', 'values.rich.en'],
    ['secret', '"\\ude00"', 'values.secret'],
    ['data', '["\\ud800"]', 'values.data'],
    ['data', '{"\\ud800":1}', 'values.data'],
    ['picture', image(',"alt":{"en":"\\ud800"}'), 'values.picture'],
  ])('%s: %s', async (field, json, path) => {
    await expectRefused(await update(field, json), [`${path} format`]);
  });
});

describe('a name of the prototype chain is 400', () => {
  it.each(
    ['__proto__', 'constructor', 'prototype'].flatMap((name) => [
      ['data', `{"${name}":1}`, 'values.data not_allowed'],
      ['data', `[{"a":{"${name}":{}}}]`, 'values.data not_allowed'],
      ['data', `{"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":1}`, 'values.data not_allowed'],
      ['rich', `{"${name}":"x"}`, `values.rich.${name} not_allowed`],
      ['picture', image(`,"${name}":{}`), 'values.picture not_allowed'],
      ['picture', image(`,"alt":{"${name}":"x"}`), 'values.picture not_allowed'],
    ]),
  )('%s: %s', async (field, json, issue) => {
    await expectRefused(await update(field, json), [issue]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('a hostile value', () => {
  const list = (count: number, item: string) => Array.from({ length: count }, () => item).join();
  it.each([
    ['two kinds of errors', 'data', `[${list(55_000, '"\\ud800"')},${list(70_000, '1e400')}]`, ['format', 'max']],
    ['empty images', 'pictures', `[${list(340_000, '{}')}]`, ['too_large']],
    ['one option many times', 'tags', `[${list(170_000, '"new"')}]`, ['duplicate']],
    ['unknown options', 'tags', `[${list(260_000, '"x"')}]`, ['not_allowed', 'duplicate']],
  ])(
    'a hostile value of 1 MB of %s is 400',
    async (_, field, json, codes) => {
      await expectRefused(
        await update(field, json),
        codes.map((code) => `values.${field} ${code}`),
      );
    },
    // This takes half a second on an idle machine. Quadratic work would take minutes.
    20_000,
  );
});
