import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { fc } from '#test/support/fast-check.ts';
import { mutated } from './hostile-records.ts';

/** A body and headers that no library would send. */
export interface HostileWrite {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const levels = 50_000;

/** JSON and similar text, in the position of a value. */
const rawValues = [
  '1e309',
  '-1e309',
  '1e-400',
  '-0',
  '1E+5',
  '9'.repeat(400),
  '9007199254740993',
  '0.1e1',
  'NaN',
  '01',
  '1.',
  '+1',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"a\\ud83d"',
  '{"en":"\\udfff"}',
  '{"\\ud800":1}',
  '["\\ud800"]',
  '"\\u0000"',
  '{"__proto__":{"polluted":1}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"toString":1,"valueOf":null,"hasOwnProperty":{}}',
  '{"en":"a","en":"b"}',
  '{"then":{}}',
  '{"length":1e309}',
  '[]',
  '{}',
  'null',
  '"\u0001"',
  '[,]',
  '{"a":1,}',
  "'a'",
  'undefined',
  '"\\x41"',
  '"\\u00"',
  '',
  '// x\n1',
  '['.repeat(levels) + ']'.repeat(levels),
  `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
  '['.repeat(levels),
  `${'{"__proto__":'.repeat(400)}1${'}'.repeat(400)}`,
  `${'{"en":'.repeat(498)}1${'}'.repeat(498)}`,
];
const rawNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '0',
  '',
  '\\ud800',
  '\\u0000',
  'en',
  'id',
  'values',
  '__proto__\\u0000',
  '#',
  'a'.repeat(5_000),
];

const mark = 'THE-RAW-PLACE';

/** Puts the mark in the position of a value, at any depth, or of an additional member. */
function marked(value: unknown, at: { left: number }, isMember: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const isHere = at.left-- === 0 && !isMember;
    return [name, isHere ? mark : marked(inner, at, isMember)];
  });
  if (Array.isArray(value)) return entries.map(([, inner]) => inner);
  if (isMember && at.left-- === 0) entries.unshift([mark, mark]);
  return Object.fromEntries(entries);
}

const placesOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce<number>((sum, inner) => sum + 1 + placesOf(inner), Array.isArray(value) ? 0 : 1);

/** The text of a record in which no library would write one value or one additional member. */
export const rawRecord = (record: object): fc.Arbitrary<string> =>
  fc
    .record({
      base: fc.oneof({ weight: 4, arbitrary: fc.constant(record) }, mutated(record)),
      at: fc.nat(),
      isMember: fc.boolean(),
      name: fc.constantFrom(...rawNames),
      value: fc.constantFrom(...rawValues),
    })
    .map(({ base, at, isMember, name, value }) => {
      const text = JSON.stringify(marked(base, { left: at % Math.max(placesOf(base), 1) }, isMember));
      // A function, because `replace` interprets `$` in a text.
      return text.replace(`"${mark}":"${mark}"`, () => `"${name}":${value}`).replace(`"${mark}"`, () => value);
    });

const tags = ['*', '"a"', '"a", W/"b"', 'W/"a"', '""', '"', 'a', ',', ' ', '* , "a"', '"é"', '"\t"', '"a" "b"', '\\"'];
const conditions = [...tags, `"${'x'.repeat(9_000)}"`, Array(500).fill('"a"').join(',')];
const idempotencyKeys = ['a', 'b', ' ', '', '"a"', 'a,b', 'é', '\t', '\u0000', '__proto__', '#', 'x'.repeat(255)];
const mediaTypes = [
  'application/merge-patch+json',
  'application/merge-patch+json; charset=utf-8',
  'APPLICATION/JSON',
  'a/b+json',
  'application/json;charset="utf-8"',
  'application/json; charset=utf-16',
  'application/json, application/json',
  'text/json',
  '',
  ';',
  '/',
  'application/json-patch+json',
  'multipart/form-data; boundary=x',
  '*/*',
  '+json',
  'application/x-www-form-urlencoded',
  `application/json; a=${'b'.repeat(5_000)}`,
];

const seldom = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

const headers = fc
  .record({
    'if-match': seldom(conditions),
    'if-none-match': seldom(conditions),
    'idempotency-key': seldom([...idempotencyKeys, 'x'.repeat(256)]),
    'content-type': fc.option(fc.constantFrom(...mediaTypes), { nil: undefined, freq: 5 }),
  })
  .map((all) =>
    Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  );

/** An encoding of a text, with a header that is right or wrong. */
const codings: readonly ((text: string, at: number) => HostileWrite)[] = [
  (text) => ({ body: gzipSync(text), headers: { 'content-encoding': 'gzip' } }),
  (text) => ({ body: gzipSync(text), headers: {} }),
  (text) => ({ body: Buffer.from(text), headers: { 'content-encoding': 'gzip' } }),
  (text) => ({ body: brotliCompressSync(text), headers: { 'content-encoding': 'br, br' } }),
  (text) => ({ body: deflateSync(text), headers: { 'content-encoding': 'deflate' } }),
  (text) => ({ body: Buffer.from(text), headers: { 'content-encoding': 'identity' } }),
  (text) => ({ body: Buffer.from(`\ufeff${text}`), headers: {} }),
  (text) => ({ body: Buffer.from(text, 'utf16le'), headers: {} }),
  (text) => ({ body: Buffer.from(text, 'latin1'), headers: {} }),
  (text) => ({ body: Buffer.from(`${text}${text}`), headers: {} }),
  (text, at) => ({ body: Buffer.from(text).subarray(0, at % (text.length + 1)), headers: {} }),
  (text, at) => {
    const bytes = Buffer.from(text);
    const cut = at % (bytes.length + 1);
    return {
      body: Buffer.concat([bytes.subarray(0, cut), Buffer.from([0xed, 0xa0, 0x80]), bytes.subarray(cut)]),
      headers: {},
    };
  },
];
const plain = (text: string): HostileWrite => ({ body: Buffer.from(text), headers: {} });

/** A write whose body is similar to this record, with any headers. */
export const hostileWrite = (record: object): fc.Arbitrary<HostileWrite> =>
  fc
    .record({
      text: fc.oneof(
        { weight: 3, arbitrary: rawRecord(record) },
        mutated(record).map((mutation) => JSON.stringify(mutation)),
      ),
      own: fc.oneof({ weight: 2, arbitrary: headers }, fc.constant({})),
      code: fc.oneof({ weight: 6, arbitrary: fc.constant(plain) }, fc.constantFrom(...codings)),
      at: fc.nat(),
    })
    .map(({ text, own, code, at }) => {
      const coded = code(text, at);
      return { body: coded.body, headers: { ...own, ...coded.headers } };
    });
