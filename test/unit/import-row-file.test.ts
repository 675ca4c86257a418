import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { StatementSync } from 'node:sqlite';
import { afterEach, expect, it, jest } from '@jest/globals';
import { Unavailable } from '#lib/table/errors.ts';
import { RowFile } from '#lib/table/import/row-file.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Short rows, rows of several kilobytes, and a row larger than what stays in memory, in several languages. */
const rowAt = (index: number) => {
  const length = index === 700 ? 3_000_000 : index % 50 === 0 ? 9_000 : index % 97;
  return [`row ${index}`, 'نص 𝄞 é \ud800'.repeat(Math.ceil(length / 12)), { index, none: null }];
};

it('a file of rows returns every row, the newest of each key, from the file and from memory', () => {
  const file = new RowFile();
  const some = file.rows<unknown>();
  const others = file.rows<unknown>();
  const expected = new Map<string, unknown>();
  for (let index = 0; index < 3_000; index++) {
    const key = `key-${(index * 7) % 2_500}`;
    some.set(key, rowAt(index));
    expected.set(key, rowAt(index));
    if (index % 100 === 0) others.set(key, [index]);
    if (index % 64 === 0) expect(some.get(key)).toEqual(rowAt(index));
  }
  expect([...some.keys()]).toEqual([...expected.keys()]);
  for (const [key, row] of expected) expect(some.get(key)).toEqual(row);
  expect(others.get('key-700')).toEqual([2_600]);
  expect([some.get('key-9999'), others.has('key-7')]).toEqual([undefined, false]);
  file.close();
});

it('a file of rows leaves no file behind, even while it is open', async () => {
  const file = new RowFile();
  const rows = file.rows<string>();
  for (let index = 0; index < 100; index++) rows.set(String(index), 'x'.repeat(100_000));
  const names = await Promise.all([tmpdir(), '/var/tmp', '.'].map((folder) => readdir(folder).catch(() => [])));
  // The names that SQLite gives its temporary files.
  expect(names.flat().filter((name) => name.startsWith('etilqs_'))).toEqual([]);
  expect(rows.get('0')).toHaveLength(100_000);
  file.close();
});

it('a file that cannot be written makes the import fail, with the reason', () => {
  const cause = new Error('database or disk is full');
  jest.spyOn(StatementSync.prototype, 'run').mockImplementation(() => {
    throw cause;
  });
  const message = 'The import needs a temporary file, and cannot write it.';
  expect(() => new RowFile().rows().set('a', 1)).toThrow(new Unavailable(message, { cause }));
});
