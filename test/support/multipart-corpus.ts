import { boundary, bytesOf, formBody, formType, type Part } from './multipart.ts';

/** The expected outcome of a body: a refusal, or the stored files. */
export type Outcome =
  | { readonly status: 400 | 413 | 415; readonly code: string }
  | { readonly files: readonly { readonly name: string; readonly type: string; readonly text: string }[] };

/** A body that a client or an attacker could send. */
export interface SentBody {
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly outcome: Outcome;
}

const malformed: Outcome = { status: 400, code: 'malformed_multipart' };
const noFiles: Outcome = { status: 400, code: 'no_files' };
const good: Part = { filename: 'a.txt', bytes: 'hello' };
const stored = (name = 'a.txt', type = 'text/plain', text = 'hello') => ({ name, type, text });
const aTxt: Outcome = { files: [stored()] };

const form = (name: string, parts: readonly Part[], outcome: Outcome): SentBody => ({
  name,
  contentType: formType,
  body: formBody(parts).body,
  outcome,
});

/** A body whose only part has these header lines. */
const head = (name: string, lines: readonly string[], outcome: Outcome, bytes = 'hello'): SentBody =>
  form(name, [{ head: lines, bytes }], outcome);

const disposition = (rest: string) => `Content-Disposition: form-data; name="files"; ${rest}`;

const named = (filename: string) => [disposition(`filename="${filename}"`)];

const raw = (name: string, pieces: readonly (string | Uint8Array)[], outcome: Outcome, contentType = formType) => ({
  name,
  contentType,
  body: bytesOf(pieces),
  outcome,
});

const withBoundary = (name: string, value: string, parameter: string, outcome: Outcome): SentBody =>
  withType(name, value, `multipart/form-data; boundary=${parameter}`, outcome);

const withType = (name: string, value: string, contentType: string, outcome: Outcome): SentBody => ({
  name,
  contentType,
  body: Buffer.from(`--${value}\r\n${disposition('filename="a.txt"')}\r\n\r\nhello\r\n--${value}--\r\n`),
  outcome,
});

const opened = `--${boundary}\r\n${disposition('filename="a.txt"')}\r\n\r\n`;
const whole = formBody([good]).body;
const plain = (value: string) => withBoundary(`a boundary of ${value.length}`, value, value, malformed);

const ofType: readonly SentBody[] = [
  { name: 'no boundary', contentType: 'multipart/form-data', body: whole, outcome: malformed },
  { name: 'an empty boundary', contentType: 'multipart/form-data; boundary=', body: whole, outcome: malformed },
  { name: 'an empty quoted one', contentType: 'multipart/form-data; boundary=""', body: whole, outcome: malformed },
  { name: 'an open quote', contentType: 'multipart/form-data; boundary="x', body: whole, outcome: malformed },
  { name: 'no type', contentType: '', body: whole, outcome: { status: 415, code: 'unsupported_media_type' } },
  {
    name: 'another type',
    contentType: 'application/x-www-form-urlencoded',
    body: whole,
    outcome: { status: 415, code: 'unsupported_media_type' },
  },
  {
    name: 'another multipart type',
    contentType: `multipart/mixed; boundary=${boundary}`,
    body: whole,
    outcome: { status: 415, code: 'unsupported_media_type' },
  },
  {
    name: 'a type in capitals',
    contentType: `Multipart/Form-Data; Boundary="${boundary}"; charset=utf-8`,
    body: whole,
    outcome: aTxt,
  },
  withBoundary('a quoted boundary', 'a b:c', '"a b:c"', aTxt),
  withBoundary('an empty parameter at the end', 'XX', 'XX;', aTxt),
  withBoundary('several empty parameters', 'XX', 'XX ;; ; charset=utf-8;\t;', aTxt),
  withBoundary('a bare boundary with the characters of React Native', 'kqV/m4:t=+x?(9)', 'kqV/m4:t=+x?(9)', aTxt),
  withBoundary('a bare boundary before blanks', 'a/b', 'a/b \t', aTxt),
  withBoundary('a bare boundary with a comma and apostrophes', "it's,b", "it's,b", aTxt),
  withBoundary('a quoted boundary with all that RFC 2046 allows', "a'()+_,-./:=?z", '"a\'()+_,-./:=?z"', aTxt),
  withBoundary('a quoted boundary with escapes', 'a"b\\c', '"a\\"b\\\\c";', aTxt),
  withBoundary('a boundary and a second one', 'XX', 'XX; boundary=YY', aTxt),
  withBoundary('characters after a quoted boundary', 'XX', '"XX"y', malformed),
  withType('empty parameters before the boundary', 'XX', 'multipart/form-data;;  ; boundary=XX', aTxt),
  withType('blanks around the equals sign', 'XX', 'multipart/form-data; boundary = "XX"', aTxt),
  withType('a boundary in another quoted value', 'XX', 'multipart/form-data; x="; boundary=YY"; boundary=XX', aTxt),
  withType('a parameter without a value', 'XX', 'multipart/form-data; form; boundary=XX', aTxt),
  withBoundary('a boundary of 70', 'x'.repeat(70), 'x'.repeat(70), aTxt),
  ...[71, 251, 252, 1_000].map((length) => plain('x'.repeat(length))),
];

const ofFrame: readonly SentBody[] = [
  raw('nothing', [], malformed),
  raw('another boundary', [whole], malformed, 'multipart/form-data; boundary=other'),
  raw('line feeds alone', [whole.toString().replaceAll('\r\n', '\n')], malformed),
  raw('an end at once', [`--${boundary}--\r\n`], noFiles),
  raw('no line end at the end', [whole.subarray(0, -2)], aTxt),
  raw('a preamble', ['ignored\r\n', whole], aTxt),
  raw('an epilogue', [whole, 'ignored'], aTxt),
  raw('parts after the end', [whole, whole], aTxt),
  raw('a broken epilogue', [whole, `--${boundary}\r\nbroken`], aTxt),
  raw('spaces after the boundary', [whole.toString().replace(boundary, `${boundary}  `)], malformed),
  raw('an end in the header', [`--${boundary}\r\nContent-Dispo`], malformed),
  raw('an end after the header', [opened], malformed),
  raw('an end in the file', [opened, 'hel'], malformed),
  raw('an end in a file that ends with dashes', [opened, 'hello--'], malformed),
  raw(
    'an end in a file that ends with a line',
    [opened, `hello\r\n${disposition('filename="b.txt"')}\r\n\r\n`],
    malformed,
  ),
  raw('an end before the last dash', [opened, `hello\r\n--${boundary}-`], malformed),
  raw(
    'an end in a second file',
    [whole.subarray(0, -4), '\r\n', opened.slice(`--${boundary}\r\n`.length), 'x'],
    malformed,
  ),
  raw('a boundary as content', [opened, `--${boundary}x\r\n--${boundary}--\r\n`], malformed),
  raw('a boundary that goes on', [opened, `hel\r\n--${boundary}x\r\nlo\r\n--${boundary}--\r\n`], malformed),
  raw('a head without a body', [`${opened}--${boundary}--`], { files: [stored('a.txt', 'text/plain', '')] }),
  raw('a head without a body before another', [opened, whole], {
    files: [stored('a.txt', 'text/plain', ''), stored()],
  }),
  raw('a boundary in a head', [`--${boundary}\r\nx: y\r\n`, whole], malformed),
  raw(
    'a boundary in a folded line',
    [`--${boundary}\r\n${disposition('')}\r\n--${boundary}\r\n filename="a.txt"\r\n\r\n--${boundary}--`],
    malformed,
  ),
  raw('one dash after the boundary', [opened, `hel\r\n--${boundary}-\r\n--${boundary}--\r\n`], malformed),
  raw('half a line end after the boundary', [opened, `hel\r\n--${boundary}\r\r\n--${boundary}--\r\n`], malformed),
  raw('a dash after the boundary', [opened, `hel\r\n--${boundary}-x\r\nlo\r\n--${boundary}--\r\n`], malformed),
];

const ofHeader: readonly SentBody[] = [
  head('a header line without a colon', ['nonsense', disposition('filename="a.txt"')], malformed),
  head('a space before the colon', [`Content-Disposition : form-data`], malformed),
  head('a header of 20 KB', [disposition('filename="a.txt"'), `x: ${'y'.repeat(20_000)}`], malformed),
  head('no header', [], malformed),
  head('no disposition', ['Content-Type: text/plain'], noFiles),
  head('another disposition', ['Content-Disposition: attachment; filename="a.txt"'], malformed),
  head('a folded line', ['Content-Disposition: form-data;', ' name="files"; filename="a.txt"'], aTxt),
  head('names in capitals', ['CONTENT-DISPOSITION: FORM-DATA; NAME="files"; FILENAME="a.txt"'], aTxt),
  head('bare parameters', ['Content-Disposition: form-data; name=files; filename=a.txt'], aTxt),
  ...[
    'name="files"; filename="a.txt";',
    ';; name="files";;filename="a.txt" ; ;',
    'name = "files" ; filename = "a.txt"',
    'name=files; filename="a.txt"; size=5',
    'name="files"; filename="a.txt"; filename="b.txt"',
  ].map((rest) => head(`the disposition form-data; ${rest}`, [`Content-Disposition: form-data; ${rest}`], aTxt)),
  head('a bare name that is no token', [disposition('filename=menu (1) ~à la carte@2x.txt;')], {
    files: [stored('menu-(1)-~à-la-carte@2x.txt')],
  }),
  head('a quoted name with a semicolon and escapes', [disposition('filename="a;b\\"c\\\\d.txt"; x=')], {
    files: [stored('d.txt')],
  }),
  head('an empty parameter in a type', [disposition('filename="a.html"'), 'Content-Type: text/plain;'], {
    files: [stored('a.html', 'text/plain')],
  }),
  head('characters after a quoted name', [disposition('filename="a.txt"b')], malformed),
  head('an open quote in the header', [disposition('filename="a.txt')], malformed),
  ...['__proto__', 'constructor', 'prototype'].map((name) =>
    head(`a header called ${name}`, [`${name}: x`, disposition('filename="a.txt"')], aTxt),
  ),
];

const ofName: readonly SentBody[] = [
  head('a bad percent', [disposition("filename*=UTF-8''%zz")], malformed),
  head('an unknown charset', [disposition("filename*=nope''a.txt")], malformed),
  head('no charset', [disposition('filename*=a.txt')], malformed),
  head('an empty charset', [disposition("filename*=''a.txt")], malformed),
  head('a blank in an encoded name', [disposition("filename*=UTF-8''a b.txt")], malformed),
  head('a charset beside UTF-8 and Latin', [disposition("filename*=windows-1256'ar'%DE%e5%E6%C9.txt")], malformed),
  head('a Latin charset', [disposition("filename*=iso-8859-1''%c7orba.txt")], { files: [stored('Çorba.txt')] }),
  form('a bad percent beside a good file', [good, { head: [disposition("filename*=UTF-8''%zz")] }], malformed),
  head('a header in the name', [disposition("filename*=UTF-8''a%0d%0aSet-Cookie.txt")], {
    files: [stored('aSet-Cookie.txt')],
  }),
  head('a NUL that is escaped', [disposition("filename*=UTF-8''a%00.txt")], aTxt),
  ...['\0', '\x01', '\t', '\v', '\x1b', '\x1f', '\x7f', '\x80', '\0\x01\x02'.repeat(100)].map((controls) =>
    head(`the control characters ${JSON.stringify(controls.slice(0, 3))}`, named(`${controls}a${controls}.txt`), aTxt),
  ),
  head('a control character before a quote', named('a\x01\\".txt'), { files: [stored('a-.txt')] }),
  head('a control character outside the quotes', [disposition('\x01filename="a.txt"')], aTxt),
  head('a control character in the word', [disposition('file\x01name="a.txt"')], aTxt),
  head('a control character after the line', [`${disposition('filename="a.txt"')}\r\n\x01`], malformed),
  head('a control character in a header name', [disposition('filename="a.txt"'), 'x\x01: y'], malformed),
  head('an open quote in a type', [...named('a.txt'), 'Content-Type: text/plain; charset="x'], aTxt),
  head('a control character in a type', [...named('a.txt'), 'Content-Type: image/\x01png'], aTxt),
  head(
    'a control character at once in the file',
    named('a.txt'),
    { files: [stored('a.txt', 'text/plain', '\x01\0x')] },
    '\x01\0x',
  ),
  form('a field with control characters', [{ name: 'a\x01', bytes: '\x02' }, good], aTxt),
  form('a field called filename', [{ head: ['Content-Disposition: form-data; name=filename'] }, good], aTxt),
  form(
    'a file that cannot be told from a field',
    [good, { head: ['Content-Disposition: form-data; name="files; filename="a.txt"'] }],
    malformed,
  ),
  head('two thousand control characters', named(`${'\x01'.repeat(2_000)}a.txt`), aTxt),
  head('both names', [disposition(`filename="b.txt"; filename*=UTF-8''%D8%B5.txt`)], { files: [stored('ص.txt')] }),
  head('an Arabic name', [disposition('filename="صورة.txt"')], { files: [stored('صورة.txt')] }),
  head('a way up', [disposition('filename="../../etc/a.txt"')], aTxt),
  head('a way of Windows', [disposition('filename="C:\\x\\a.txt"')], aTxt),
  head('only a way up', [disposition('filename=".."')], { files: [stored('file', 'application/octet-stream')] }),
  head('an empty name and bytes', [disposition('filename=""')], {
    files: [stored('file', 'application/octet-stream')],
  }),
  head('an empty name and no bytes', [disposition('filename=""')], noFiles, ''),
  head(
    'an empty name as browsers send it',
    [disposition('filename=""'), 'Content-Type: application/octet-stream'],
    noFiles,
    '',
  ),
  head('no name', ['Content-Disposition: form-data; name="files"'], noFiles),
  head(
    'no name, but a type',
    ['Content-Disposition: form-data; name="files"', 'Content-Type: application/octet-stream'],
    noFiles,
  ),
  head('a field that quotes a name', ['Content-Disposition: form-data; name="x; filename=y"'], noFiles),
];

const ofParts: readonly SentBody[] = [
  form('a file', [good], aTxt),
  form('an empty file', [{ filename: 'a.txt' }], { files: [stored('a.txt', 'text/plain', '')] }),
  form('five files', [good, good, good, good, good], { files: Array.from({ length: 5 }, () => stored()) }),
  form('six files', [good, good, good, good, good, good], { status: 400, code: 'too_many_files' }),
  form('five files and an empty place', [good, good, good, good, good, { filename: '' }], {
    files: Array.from({ length: 5 }, () => stored()),
  }),
  form('a file of another name', [{ ...good, name: 'file' }], { status: 400, code: 'invalid_body' }),
  form('a file of another name beside a good one', [good, { ...good, name: 'x' }], {
    status: 400,
    code: 'invalid_body',
  }),
  form('a place of another name', [good, { name: 'x', filename: '' }], aTxt),
  form('fields', [{ name: 'a', bytes: 'b' }, good, { name: '__proto__', bytes: 'x' }], aTxt),
  form('only fields', [{ name: 'a', bytes: 'b' }], noFiles),
  form('a field of a strange charset', [good, { name: 'a', type: 'text/plain; charset=nope', bytes: '\xff' }], aTxt),
  form('2,000 fields', [good, ...Array.from({ length: 2_000 }, () => ({ name: 'a' }))], malformed),
  form(
    'a form in a form',
    [{ type: 'multipart/mixed; boundary=inner', bytes: '--inner\r\n\r\nx\r\n--inner--' }],
    noFiles,
  ),
  form('a declared type', [{ ...good, type: 'Image/PNG; x=y' }], { files: [stored('a.txt', 'image/png')] }),
  form('plain text, declared', [{ filename: 'a.html', type: 'text/plain', bytes: 'hello' }], {
    files: [stored('a.html', 'text/plain')],
  }),
  form('no declared type', [{ filename: 'a.html', bytes: 'hello' }], { files: [stored('a.html', 'text/html')] }),
  form('a malformed type', [{ ...good, type: 'nonsense' }], aTxt),
  head(
    'bytes in base64',
    [disposition('filename="a.txt"'), 'Content-Transfer-Encoding: base64'],
    {
      files: [stored('a.txt', 'text/plain', 'aGVsbG8=')],
    },
    'aGVsbG8=',
  ),
];

export const multipartCorpus: readonly SentBody[] = [...ofType, ...ofFrame, ...ofHeader, ...ofName, ...ofParts];
