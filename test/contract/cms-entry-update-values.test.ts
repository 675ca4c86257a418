import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen');
const key = kitchen.keys.chief;
const path = '/api/public/cms/things/thing_1?maxDepth=0&includeHidden=true';
const update = (values: object) => call(`PATCH ${path}`, { key, body: { values } });
const updateText = (field: string, json: string) =>
  call(`PATCH ${path}`, { key, body: `{"values":{"${field}":${json}}}` });
const read = async () => (await call(`GET ${path}`, { key })).json;

const image = { id: 'img_1', url: 'https://a.co/1.png', alt: null, width: null, height: null };
const levels = (count: number) => JSON.parse(`${'['.repeat(count)}${']'.repeat(count)}`);
const objects = (count: number) => JSON.parse(`${'{"a":'.repeat(count)}1${'}'.repeat(count)}`);
const shown = (value: unknown) => JSON.stringify(value).slice(0, 60);
const titled = <Row extends readonly [string, unknown, ...unknown[]]>(rows: readonly Row[]) =>
  rows.map((row) => [`${row[0]}: ${shown(row[1])}`, ...row] as const);

describe('an update keeps a value as sent:', () => {
  it.each(
    titled([
      ['title', 'Saffron'],
      ['title', '  blanks stay\n\t'],
      ['title', '<script>alert("x")</script> \\ \u2028 \u0001 \u007f'],
      ['title', '😀 كبسة e\u0301 \u202e'],
      ['long', ''],
      ['long', 'x'.repeat(100_000)],
      ['rich', { en: '<p>Hello</p>', ar: '<p>مرحبا</p>' }],
      ['amount', 0],
      ['amount', -12.5],
      ['amount', 0.1],
      ['amount', 1e100],
      ['amount', -1e100],
      ['amount', 1e-100],
      ['amount', 1.7976931348623],
      ['amount', 9_007_199_254_740_991],
      ['active', true],
      ['active', false],
      ['day', '2026-01-31'],
      ['day', '2024-02-29'],
      ['day', '2000-02-29'],
      ['day', '0001-01-01'],
      ['day', '9999-12-31'],
      ['moment', '2026-01-31T09:30:00Z'],
      ['moment', '2026-01-31T09:30:00.000Z'],
      ['moment', '2026-01-31T09:30:00.123456+03:00'],
      ['moment', '2026-12-31T23:59:59-11:30'],
      ['moment', '2026-01-31T09:30+03:00'],
      ['email', 'lina.o+x@mail.example.com'],
      ['url', 'http://localhost:3000/?a=b#c'],
      ['url', 'https://example.com/%D9%82%D8%A7%D8%A6%D9%85%D8%A9'],
      ['phone', '+966 (50) 000-0000'],
      ['phone', '12345'],
      ['phone', '1'.repeat(30)],
      ['size', 's'],
      ['tags', ['new', 'hot']],
      ['tags', []],
      ['data', {}],
      ['data', []],
      ['data', 'text'],
      ['data', 0],
      ['data', false],
      ['data', { z: 1, a: [null, true, { '': '' }], toString: 'x', hasOwnProperty: 1 }],
      ['data', levels(30)],
      ['data', objects(30)],
      ['data', { big: 1e300, small: 5e-324 }],
      ['picture', image],
      ['picture', { ...image, alt: { ar: 'صورة' }, width: 640, height: 0 }],
      ['pictures', []],
      ['pictures', [image, { ...image, id: 'img_2' }]],
      ['chef', 'chef_1'],
      ['secret', 'hidden'],
    ]),
  )('%s', async (_, field, value) => {
    const { status, json } = await update({ [field]: value });
    const expected = field === 'chef' ? { id: value } : value;
    expect(status).toBe(200);
    expect(json[field]).toEqual(expected);
    expect((await read())[field]).toEqual(expected);
  });
});

describe('an update stores a value in its canonical form:', () => {
  it.each(
    titled([
      ['email', ' lina@example.com\n', 'lina@example.com'],
      ['url', '\thttps://example.com/menu ', 'https://example.com/menu'],
      ['phone', '  +1 555 0100  ', '+1 555 0100'],
      ['picture', { id: 'img_1', url: 'https://a.co/1.png' }, image],
    ]),
  )('%s', async (_, field, value, expected) => {
    const { status, json } = await update({ [field]: value });
    expect(status).toBe(200);
    expect(json[field]).toEqual(expected);
    expect((await read())[field]).toEqual(expected);
  });

  it.each([
    ['amount', '-0', '0'],
    ['amount', '-0.0e5', '0'],
    ['amount', '1E2', '100'],
    ['amount', '0e400', '0'],
    ['data', '{ "b" : 1.0, "a" : -0 }', '{"b":1,"a":0}'],
    ['data', '"\\u00e9\\/"', '"é/"'],
  ])('%s: %s is %s', async (field, sent, expected) => {
    const { status, text } = await updateText(field, sent);
    expect(status).toBe(200);
    expect(text).toContain(`"${field}":${expected}`);
  });

  it('json keeps the order of its members', async () => {
    const { text } = await updateText('data', '{"z":1,"a":{"y":2,"b":3}}');
    expect(text).toContain('"data":{"z":1,"a":{"y":2,"b":3}}');
    expect((await call(`GET ${path}`, { key })).text).toContain('"data":{"z":1,"a":{"y":2,"b":3}}');
  });
});

describe('null', () => {
  it.each(['long', 'rich', 'amount', 'active', 'day', 'moment', 'email', 'url', 'phone', 'size', 'tags', 'data'])(
    'clears %s',
    async (field) => {
      const { status, json } = await update({ [field]: null });
      expect(status).toBe(200);
      expect(json[field]).toBeNull();
      expect((await read())[field]).toBeNull();
    },
  );

  it('clears media and a relation to one', async () => {
    await update({ picture: image, pictures: [image], chef: 'chef_1', secret: 'x' });
    const { json } = await update({ picture: null, pictures: null, chef: null, secret: null });
    expect(json).toMatchObject({ picture: null, pictures: null, chef: null, secret: null });
  });

  it('is a value inside of json', async () => {
    const { json } = await update({ data: [null, { a: null }] });
    expect(json.data).toEqual([null, { a: null }]);
  });
});

describe('many fields in one update', () => {
  it('are all stored, and the others stay', async () => {
    const before = await read();
    const values = { title: 'All', amount: 7, active: true, day: '2026-05-05', tags: ['hot'], data: { a: 1 } };
    const { status, json } = await update(values);
    expect(status).toBe(200);
    expect(json).toEqual({ ...before, ...values, updatedAt: json.updatedAt });
    expect(await read()).toEqual(json);
  });
});
