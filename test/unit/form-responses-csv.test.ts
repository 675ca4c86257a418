import { describe, expect, it } from '@jest/globals';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { FormField } from '#lib/domain/forms/form-view.ts';
import { csvRow, responsesAsCsv, responsesAsJson } from '#lib/domain/forms/responses-document.ts';

const field = (ref: string): FormField => FormField.parse({ id: `ff_${ref}`, ref, title: { en: ref }, type: 'TEXT' });

const response = (id: string, answers: FormResponse['answers'], meta: FormResponse['meta'] = {}): FormResponse => ({
  id,
  formId: 'form_1',
  answers,
  meta,
  createdAt: '2026-01-01T00:00:00.000Z',
});

async function* all(...responses: FormResponse[]): AsyncGenerator<FormResponse> {
  yield* responses;
}

const textOf = async (pieces: AsyncIterable<string>): Promise<string> => (await Array.fromAsync(pieces)).join('');

describe('a table of responses', () => {
  it('has a byte order mark, a column for each field, and what belongs to none', async () => {
    const responses = all(
      response('res_1', { name: 'نور', tags: ['a', 'b; c'], n: -1.5, ok: true }),
      response('res_2', { gone: 'x', toString: 'y' } as never, { _source: '/' }),
    );
    const lines = [
      '\ufeff"id","createdAt","name","tags","n","ok","otherAnswers","meta"',
      '"res_1","2026-01-01T00:00:00.000Z","نور","a; b; c",-1.5,"true","",""',
      '"res_2","2026-01-01T00:00:00.000Z","","","","","{""gone"":""x"",""toString"":""y""}","{""_source"":""/""}"',
      '',
    ];
    expect(await textOf(responsesAsCsv(['name', 'tags', 'n', 'ok'].map(field), responses))).toBe(lines.join('\r\n'));
  });

  it('has its head even without responses', async () => {
    expect(await textOf(responsesAsCsv([], all()))).toBe('\ufeff"id","createdAt","otherAnswers","meta"\r\n');
  });
});

describe('a list of responses', () => {
  it('is JSON, even without responses', async () => {
    const some = [response('res_1', { a: '"\u2028' }), response('res_2', {})];
    expect(JSON.parse(await textOf(responsesAsJson(all(...some))))).toEqual(some);
    expect(JSON.parse(await textOf(responsesAsJson(all())))).toEqual([]);
  });
});

describe('a cell', () => {
  const starts = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20', '\ufe66', '\ufe62', '\ufe63', '\ufe6b'];

  it.each(starts)('never begins a formula: %s', (start) => {
    for (const text of [`${start}1+1`, ` ${start}1`, `\u200b${start}1`, `\u00a0\ufeff${start}1`, `\u0000${start}1`]) {
      expect(csvRow([text])).toMatch(/^"'/);
    }
  });

  it.each(['\t', '\r', '\n'])('that begins with %j is shown as text', (start) => {
    expect(csvRow([`${start}=1`])).toBe(`"'${start}=1"\r\n`);
  });

  it.each(['a=1', '1-2', 'a@b.co', 'نور', '', '5', '(=1)', '"=1'])('is not changed: %s', (text) => {
    expect(csvRow([text])).toBe(`"${text.replaceAll('"', '""')}"\r\n`);
  });

  it('keeps quotes, commas and line breaks inside', () => {
    expect(csvRow(['a"b', 'c,d', 'e\r\nf'])).toBe('"a""b","c,d","e\r\nf"\r\n');
  });

  it('holds nothing that a terminal would obey', () => {
    expect(csvRow(['\u001b[31ma\u0007\u009b'])).toBe('"[31ma"\r\n');
  });

  it('a cell with a number is a number', () => expect(csvRow([-1.5, 0, 1e21])).toBe('-1.5,0,1e+21\r\n'));
});
