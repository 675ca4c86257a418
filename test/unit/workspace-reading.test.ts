import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Failure } from '#lib/domain/failure.ts';
import { parseJson } from '#lib/domain/json-text.ts';
import { readDocument } from '#lib/workspace/read-document.ts';
import { fileOf, smallDocument } from './document-file.ts';

const workspace = { kind: 'workspace', version: 1, ...smallDocument().workspace };
const first = JSON.stringify(workspace);
const customer = '{"kind":"customer","id":"cus_1"}';

/** The items of a document: `kind location` of records, `path code` and the message of failures. */
async function read(content: string | Uint8Array, name: string): Promise<string[]> {
  const items = await Array.fromAsync(readDocument(await fileOf(content, name)));
  return items.map((item) => {
    if (!('failure' in item)) return `${item.kind} ${item.location}`;
    const { location, path, code, message } = item.failure;
    expect(message).toMatch(/^[A-Z].*\.$/);
    return `! ${location} ${path} ${code}`;
  });
}

describe('an .ndjson document', () => {
  const found = ['workspace line 1', 'customer line 2'];

  it.each<[string, string, string[]]>([
    ['is read a line at a time', `${first}\n${customer}\n`, found],
    ['needs no line feed at its end', `${first}\n${customer}`, found],
    ['may have a byte order mark', `\uFEFF${first}\n${customer}`, found],
    ['may have Windows line ends', `${first}\r\n${customer}\r\n`, found],
    ['may end in blank lines', `${first}\n${customer}\n\n \r\n\n`, found],
    [
      'has no blank lines between records',
      `${first}\n\n\n${customer}`,
      ['workspace line 1', '! line 2  syntax', 'customer line 4'],
    ],
    ['is not empty', '', ['! line 1  required']],
    ['is not blank', '\n\n', ['! line 1  required']],
    [
      'begins with the workspace',
      `${customer}\n${first}`,
      ['! line 1 kind required', 'customer line 1', 'workspace line 2'],
    ],
    ['says its version', first.replace('"version":1,', ''), ['! line 1 version required', 'workspace line 1']],
    [
      'has version 1',
      first.replace('"version":1', '"version":2'),
      ['! line 1 version not_allowed', 'workspace line 1'],
    ],
    [
      'knows all kinds',
      `${first}\n{"kind":"customers","id":"a"}\n{"id":"a"}`,
      ['workspace line 1', '! line 2 kind not_allowed', '! line 3 kind not_allowed'],
    ],
    ['has objects', `${first}\n["customer"]\nnull`, ['workspace line 1', '! line 2  type', '! line 3  type']],
    [
      'is JSON',
      `${first}\n{"kind":"customer",}\n${customer}`,
      ['workspace line 1', '! line 2  syntax', 'customer line 3'],
    ],
    [
      'has lines of at most 4 MB',
      `${first}\n"${'x'.repeat(4 * 1_048_576)}"\n${customer}`,
      ['workspace line 1', '! line 2  too_large', 'customer line 3'],
    ],
    ['may have a line of 3 MB', `${first}\n{"kind":"customer","name":"${'x'.repeat(3 * 1_048_576)}"}`, found],
  ])('%s', async (_, content, expected) => {
    expect(await read(content, 'a.ndjson')).toEqual(expected);
  });

  it('is in UTF-8', async () => {
    expect(await read(Buffer.from(`${first}\n${customer.replace('_', '\u00ff')}`, 'latin1'), 'a.ndjson')).toEqual([
      'workspace line 1',
      '! line 2  syntax',
    ]);
  });

  it('has conversations whose own kind is that of the line', async () => {
    const conversation = { id: 'conv_1', kind: 'topic', parentId: null };
    const lines = [
      workspace,
      Object.assign({ kind: 'conversation' }, conversation),
      { ...conversation, kind: 'conversation' },
    ];
    const file = await fileOf(lines.map((line) => JSON.stringify(line)).join('\n'), 'a.ndjson');
    const items = await Array.fromAsync(readDocument(file));
    expect(items.slice(1)).toEqual([
      { kind: 'conversation', record: conversation, location: 'line 2', position: 1 },
      { kind: 'conversation', record: { id: 'conv_1', parentId: null }, location: 'line 3', position: 2 },
    ]);
  });
});

describe('a .json document', () => {
  it('is read kind by kind', async () => {
    expect(await read(JSON.stringify(smallDocument()), 'a.json')).toEqual([
      'workspace workspace',
      'member members[0]',
      'apiKey apiKeys[0]',
      'cmsModel cms.models[0]',
      'cmsEntry cms.entries[0]',
      'menuCategory menu.categories[0]',
      'menuProduct menu.products[0]',
      'form forms[0]',
      'channel messaging.channels[0]',
      'customer messaging.customers[0]',
      'agent messaging.agents[0]',
      'conversation messaging.conversations[0]',
      'message messaging.messages[0]',
      'attachment attachments[0]',
      'formResponse formResponses[0]',
      'notification notifications[0]',
    ]);
  });

  it.each<[string, string | Uint8Array, string[]]>([
    ['may have a byte order mark', `\uFEFF{"version":1,"workspace":{}}`, ['workspace workspace']],
    ['is not empty', '', ['! document  syntax']],
    ['is JSON', '{"version":1,}', ['! document  syntax']],
    ['is an object', '[]', ['! document  type']],
    ['is in UTF-8', Buffer.from('{"é":1}', 'latin1'), ['! document  syntax']],
  ])('%s', async (_, content, expected) => {
    expect(await read(content, 'a.json')).toEqual(expected);
  });

  it('is reported with the position of the error, without any of its content', async () => {
    const file = await fileOf('{\n  "version": 1,\n  "secret": "saffron" oops\n}');
    const [item] = await Array.fromAsync(readDocument(file));
    expect(item).toMatchObject({
      failure: { message: 'The document must be JSON; the error is at line 3, column 23.' },
    });
  });
});

describe('the position of a syntax error', () => {
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    ['[1,]', 4],
    ['{"a":}', 6],
    ['[tru]', 5],
    ['{"a":1,}', 8],
    ['[1 2]', 4],
    ['{"a" 1}', 6],
    ['{a:1}', 2],
    ['"\\u00g0"', 6],
    ['"\u0001"', 2],
    ['"at position 1 of', 18],
    ['[1.]', 4],
    ['{} x', 4],
    ['[1', 3],
    ['', 1],
  ])('the position of a syntax error in %j is column %d', (text, column) => {
    expect(parseJson(text)).toEqual({ line: 1, column });
  });

  it.each([
    ['a missing end', ''],
    ['a comma too many', ',}'],
    ['text after the end', '} x'],
  ])('the position of a syntax error of %s is found without parsing a large document many times', (_, end) => {
    const text = `{"texts":[${Array.from({ length: 1000 }, () => '"at position 7 "').join()}]`;
    const parse = jest.spyOn(JSON, 'parse');
    expect(parseJson(text + end)).toMatchObject({ line: 1 });
    expect(parse).toHaveBeenCalledTimes(1);
  });
});

describe('the encoding of a document', () => {
  it.each([
    ['a.NDJSON', first, ['workspace line 1']],
    ['a.jsonl', first, ['workspace line 1']],
    ['export', `\n${first}\n${customer}`, ['! line 1  syntax', 'workspace line 2', 'customer line 3']],
    ['export', JSON.stringify({ version: 1, workspace: {} }), ['workspace workspace']],
    ['export.txt', JSON.stringify({ version: 1, workspace: {} }, null, 2), ['workspace workspace']],
  ])('the encoding of %s is found', async (name, content, expected) => {
    expect(await read(content, name)).toEqual(expected);
  });
});

describe('a document that cannot be read', () => {
  it.each([
    ['/nowhere/workspace.json', 'there is no such file'],
    [tmpdir(), 'it is a directory'],
  ])('%s is reported in a sentence', async (file, reason) => {
    const reading = Array.fromAsync(readDocument(file));
    await expect(reading).rejects.toThrow(Failure);
    await expect(reading).rejects.toThrow(`The workspace document ${file} cannot be read: ${reason}.`);
  });

  it('does not change errors of its reader', async () => {
    const file = await fileOf(first, 'a.ndjson');
    await writeFile(file, `${first}\n`);
    const reading = (async () => {
      for await (const _ of readDocument(file)) throw Object.assign(new Error('mine'), { code: 'ENOENT' });
    })();
    await expect(reading).rejects.toThrow('mine');
  });
});
