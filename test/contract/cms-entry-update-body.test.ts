import { describe, expect, it } from '@jest/globals';
import { type Answer, call } from '#test/support/call.ts';
import { someOf } from '#test/support/long-run.ts';
import { computedMilliseconds } from '#test/support/spent-time.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen');
const key = kitchen.keys.editor;
const path = '/api/public/cms/chefs/chef_1';
const update = (body: unknown, headers: Record<string, string> = {}) =>
  call(`PATCH ${path}?maxDepth=0`, { key, body, headers });
const read = async () => (await call(`GET ${path}`, { key })).text;
const untouched = await read();

const issuesIn = ({ json }: Answer) => json.errors.map((error: Answer['json']) => `${error.path}:${error.code}`).sort();

/** JSON of exactly so many bytes that changes nothing. */
const bodyOf = (bytes: number) => `{"values":{}}${' '.repeat(bytes - '{"values":{}}'.length)}`;
const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('an unreadable body', () => {
  it.each<[string, unknown, ...string[]]>([
    ['no body', Buffer.alloc(0), ':required'],
    ['blanks', ' \n', ':syntax'],
    ['cut-off JSON', '{"values":{}', ':syntax'],
    ['an extra comma', '{"values":{},}', ':syntax'],
    ['a comment', '{"values":{}} // done', ':syntax'],
    ['two values', '{"values":{}}{"values":{}}', ':syntax'],
    ['NaN', '{"values":{"joined":NaN}}', ':syntax'],
    ['a control character in a text', '{"values":{"joined":"\n"}}', ':syntax'],
    ['a byte order mark', '\ufeff{"values":{}}', ':syntax'],
    ['UTF-16', Buffer.from('{"values":{}}', 'utf16le'), ':syntax'],
    ['bytes that are not UTF-8', bytes('{"values":{"bio":{"en":"', [0xff], '"}}}'), ':syntax'],
    ['an overlong UTF-8 sequence', bytes('{"values":{"bio":{"en":"', [0xc0, 0xaf], '"}}}'), ':syntax'],
    ['a surrogate in UTF-8', bytes('{"values":{"bio":{"en":"', [0xed, 0xa0, 0x80], '"}}}'), ':syntax'],
    ['50,000 levels', nested(50_000), ':too_large'],
    ['50,000 levels inside of a value', `{"values":{"bio":${nested(50_000)}}}`, ':too_large'],
    ['null', 'null', ':type'],
    ['a list', '[]', ':type'],
    ['a string', '"values"', ':type'],
    ['a number', '1', ':type'],
    ['true', 'true', ':type'],
    ['an extra member', '{"values":{},"id":"chef_2"}', 'id:unknown_field'],
    ['several extra members', '{"values":{},"a":1,"b":{"c":[]}}', 'a:unknown_field', 'b:unknown_field'],
    ['values: null', '{"values":null}', 'values:type'],
    ['values: []', '{"values":[]}', 'values:type'],
    ['values: text', '{"values":"x"}', 'values:type'],
    ['values: number', '{"values":0}', 'values:type'],
    ['values: true', '{"values":true}', 'values:type'],
    ['values given twice, the last one wrong', '{"values":{},"values":1}', 'values:type'],
    ['values: [] and an extra member', '{"values":[],"x":1}', 'values:type', 'x:unknown_field'],
    ['__proto__', '{"values":{},"__proto__":{"a":1}}', '__proto__:unknown_field'],
    ['constructor', '{"values":{},"constructor":{}}', 'constructor:unknown_field'],
    ['prototype', '{"values":{},"prototype":{}}', 'prototype:unknown_field'],
  ])('is refused: %s (400 invalid_body)', async (_, body, ...expected) => {
    const answer = await update(body);
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('invalid_body');
    expect(answer.json.message).toMatch(/ .*\.$/);
    expect(issuesIn(answer)).toEqual(expected);
    expect(await read()).toBe(untouched);
  });
});

describe('the message of an invalid body', () => {
  it.each([
    ['[]', 'The body must be an object.'],
    ['{"values":{},"valeus":{}}', 'valeus: Unknown member. The only member is values.'],
    ['{}', 'values: Must be an object of field key to value.'],
  ])('the message for %s in the body names the path', async (body, sentence) => {
    const { json } = await update(body);
    expect(json.message).toBe(sentence);
    expect(json.errors[0].message).toBe(sentence);
  });
});

describe('a body without values', () => {
  it.each([
    ['{}', 'values'],
    ['{"Values":{}}', 'Values', 'values'],
    ['{"joined":"2026-01-01"}', 'joined', 'values'],
    ['{"__proto__":{"values":{}}}', '__proto__', 'values'],
  ])('is refused: %s (400 invalid_body)', async (body, ...expected) => {
    const answer = await update(body);
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('invalid_body');
    expect(answer.json.errors.map(({ path }: { path: string }) => path).sort()).toEqual(expected);
    expect(await read()).toBe(untouched);
  });
});

describe('a hostile body', () => {
  const list = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, i) => of(i)).join();
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_';
  const name = (index: number) => [2_916, 54, 1].map((unit) => letters[Math.floor(index / unit) % 54]).join('');
  const members = (count: number) => `{${list(count, (index) => `"${name(index)}":0`)}}`;

  const hostile: readonly (readonly [string, string, string])[] = [
    ['as many extra members as fit', members(131_000), 'invalid_body'],
    ['one name of 1 MB', `{"values":{"${'\\"'.repeat(520_000)}":0}}`, 'validation_failed'],
    ['as many ids as fit', `{"values":{"friends":[${list(150_000, (i) => `"${name(i)}"`)}]}}`, 'validation_failed'],
    ['as many unknown fields as fit', `{"values":${members(131_000)}}`, 'validation_failed'],
    ['as many unknown languages as fit', `{"values":{"name":${members(131_000)}}}`, 'validation_failed'],
    ['as many bad ids as fit', `{"values":{"friends":[${list(300_000, () => '""')}]}}`, 'validation_failed'],
  ];
  it.each(someOf(hostile, 3))(
    'a hostile body of %s is refused with an answer of bounded size (400)',
    async (_, body, code) => {
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_048_576);
      let answer: Answer | undefined;
      const computed = await computedMilliseconds(async () => {
        answer = await update(body);
      });
      // This takes half a second on an idle machine. Quadratic work would take minutes.
      expect(computed).toBeLessThan(20_000);
      const { status, json, text } = answer as Answer;
      expect(status).toBe(400);
      expect(json.code).toBe(code);
      expect(json.errors.length).toBeGreaterThan(0);
      expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(6_000_000);
      expect(await read()).toBe(untouched);
    },
  );
});

describe('the size of the body', () => {
  it('may be exactly 1 MB', async () => {
    expect((await update(bodyOf(1_048_576))).status).toBe(200);
  });

  it.each([
    ['1 MB + 1 byte', bodyOf(1_048_577)],
    ['1 MB + 1 byte in characters of two bytes', `{"values":{"bio":{"en":"${'é'.repeat(524_276)}"}}}`],
    ['more than 1 MB that is not JSON', Buffer.alloc(2_000_000, 0xff)],
  ])('is refused: %s (413)', async (_, body) => {
    const { status, json } = await update(body);
    expect(status).toBe(413);
    expect(json).toEqual({ code: 'body_too_large', message: expect.stringContaining('1 MB') });
    expect(await read()).toBe(untouched);
  });
});

describe('the media type', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;profile="a;b"',
    ' application/json ;charset=UTF-8',
    'application/json;',
    'application/json; ;;charset="utf-8" ; ;',
    'application/merge-patch+json',
    'application/vnd.api+json; version=1',
  ])('may be %s', async (type) => {
    expect((await update({ values: {} }, { 'content-type': type })).status).toBe(200);
  });

  it.each([
    '',
    'json',
    'text/json',
    'text/plain',
    'application/jsonp',
    'application/json5',
    'application/json+xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/xml; a=application/json',
    '+json',
    'application/+json ,text/plain',
  ])('is refused: %j (415)', async (type) => {
    const { status, json } = await update({ values: { published: false } }, { 'content-type': type });
    expect(status).toBe(415);
    expect(json).toEqual({ code: 'unsupported_media_type', message: expect.stringContaining('application/json') });
    expect(await read()).toBe(untouched);
  });

  it.each(['gzip', 'br', 'deflate', 'identity', 'GZIP', 'x'])(
    'is refused beside Content-Encoding: %s (415)',
    async (encoding) => {
      const { status, json } = await update({ values: { published: false } }, { 'content-encoding': encoding });
      expect(status).toBe(415);
      expect(json).toEqual({ code: 'unsupported_media_type', message: expect.stringContaining('Content-Encoding') });
      expect(await read()).toBe(untouched);
    },
  );
});
