import { fc } from '#test/support/fast-check.ts';
import { formBody, formType } from '#test/support/multipart.ts';

/** Values that are known to cause errors in programs. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '1',
    '-1',
    '-0',
    '1e3',
    '007',
    '1.5',
    '0x10',
    'true',
    'TRUE',
    'false',
    'null',
    'NaN',
    'Infinity',
    '٣',
    '\u0000',
    '\ud800',
    '\u202e',
    '\ufeff',
    'é',
    'e\u0301',
    'ﷺ',
    '👩‍👩‍👧',
    'a'.repeat(5_000),
    '../..',
    '..',
    '.',
    '"',
    '\\',
    "'; --",
    '$x',
    '#{1}',
    '{{1}}',
    '<b>',
    '%',
    '%00',
    '%2e%2e',
    '\r\nx: y',
    '__proto__',
    'constructor',
    'name',
    'name,mentor(name)',
    'name(',
    '(((((((',
    'a,,b',
    `${'mentor('.repeat(6)}name${')'.repeat(6)}`,
    'id,',
    '999999999999999',
    '9999999999999999',
    '1'.repeat(400),
    '48.5',
    '48.',
    '.5',
    '100',
    '101',
    'asc',
    'slug',
    'lamb',
  ),
);

/** The value in an address: mostly encoded, sometimes in an unusual way. */
export const encoded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: text.map((value) => encodeURIComponent(value.toWellFormed())) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%zz', '%C3', '%ff%fe', '%00', '%u0041', '+', '+1', '%ED%A0%80', 'a%'),
    },
  );

const numberText = fc.constantFrom(
  '1e999',
  '-0',
  '1e-999',
  '9'.repeat(400),
  '0.1e1',
  '123456789012345678901',
  '-1',
  '2.5',
);
const depth = fc.constantFrom(5, 31, 100, 2_000);

/** JSON and similar text that no library would write. */
export const hostileJson = fc.oneof(
  depth.map((levels) => '['.repeat(levels) + ']'.repeat(levels)),
  depth.map((levels) => `${'{"values":'.repeat(levels)}1${'}'.repeat(levels)}`),
  numberText.map(
    (number) => `{"values":{"name":${number}},"files":[{"name":"a","type":"","size":${number}}],"rating":${number}}`,
  ),
  fc.constantFrom(
    '',
    ' ',
    'null',
    '0',
    '"x"',
    '[]',
    '{}',
    '{"values":{}}',
    '{"a":1,}',
    '\ufeff{}',
    '{"a":"\\ud800"}',
    '{"a":"\u0001"}',
    '{"values":{"name":{"en":"a"},"name":{"en":"b"}}}',
    '{"__proto__":{"a":1}}',
    '{"values":{"constructor":1}}',
    `{"name":"${'a'.repeat(1_100_000)}"}`,
    '{"values":[]}',
    '{"files":{}}',
    '[{}]',
    '{"values":{"__proto__":null}}',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hostileText,
  fc.constant({ en: 'x', ar: null }),
  fc.constant([]),
);

/** An object with some of these members, whose values are partly valid. */
export const nearlyValid = (good: Readonly<Record<string, unknown>>): fc.Arbitrary<object> =>
  fc
    .record({
      wrong: fc.record(Object.fromEntries(Object.keys(good).map((name) => [name, anything])), { requiredKeys: [] }),
      more: fc.dictionary(fc.oneof(hostileText, fc.constantFrom('_meta', 'published', 'id')), anything, { maxKeys: 2 }),
      has: fc.record({ wrong: fc.boolean(), more: fc.boolean() }),
    })
    .map(({ wrong, more, has }) => ({ ...good, ...(has.wrong && wrong), ...(has.more && more) }));

const quoted = hostileText.map((name) => name.replaceAll(/["\r\n]/g, '_').toWellFormed());
const disposition = fc.oneof(
  quoted.map((name) => `Content-Disposition: form-data; name="files"; filename="${name}"`),
  quoted.map((name) => `Content-Disposition: form-data; name="files"; filename*=UTF-8''${encodeURIComponent(name)}`),
  quoted.map((name) => `Content-Disposition: form-data; name="${name}"`),
  fc.constantFrom(
    'Content-Disposition: form-data; name=files; filename=a.txt',
    'Content-Disposition: form-data; name="files"; filename="a"; filename="b"',
    'Content-Disposition: attachment; filename="a"',
    'content-disposition:form-data;name="files";filename="../../etc/passwd"',
    'Content-Disposition',
    `Content-Disposition: form-data; name="files"; filename="${'n'.repeat(20_000)}"`,
  ),
);
const partType = fc
  .oneof(
    fc.constantFrom('text/html', 'a/b; charset="x"', 'IMAGE/PNG', '/', 'multipart/mixed; boundary=x', 'x'.repeat(300)),
    quoted,
  )
  .map((type) => `Content-Type: ${type.replaceAll(/[^\x20-\x7e]/g, '')}`);
const part = fc.record({
  head: fc
    .tuple(disposition, fc.option(partType, { nil: undefined }))
    .map((lines) => lines.flatMap((line) => line ?? [])),
  bytes: fc.oneof(fc.uint8Array({ maxLength: 50 }), fc.constantFrom('', '\r\n--', 'x'.repeat(70_000), '<script>')),
});

/** Files in a multipart body, which may be incomplete. */
export const hostileForm = fc
  .record({
    parts: fc.array(part, { maxLength: 7 }),
    kept: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
    type: fc.oneof(
      { weight: 8, arbitrary: fc.constant(formType) },
      fc.constantFrom(
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'multipart/form-data; boundary="a',
        formType.toUpperCase(),
      ),
    ),
  })
  .map(({ parts, kept, type }) => {
    const { body } = formBody(parts);
    return { contentType: type, body: body.subarray(0, Math.ceil(body.length * kept)) };
  });
