import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { Unavailable } from '#lib/table/errors.ts';
import { RowFile } from '#lib/table/import/row-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'row-file-'));
afterAll(() => rm(folder, { recursive: true }));

/** Short rows, rows of several kilobytes, and rows larger than the memory buffer, in several languages. */
const rowAt = (index: number) => {
  const length = index === 700 ? 2_000_000 : index % 50 === 0 ? 9_000 : index % 97;
  return [`row ${index}`, 'نص 𝄞 é \ud800'.repeat(Math.ceil(length / 12)), { index, none: null }];
};

it('a file of rows returns every row, the newest of each key, from the file and from memory', () => {
  const file = new RowFile(folder);
  const some = file.rows<unknown>();
  const others = file.rows<unknown>();
  const expected = new Map<string, unknown>();
  for (let index = 0; index < 3_000; index++) {
    const key = `key-${(index * 7) % 2_500}`;
    some.set(key, rowAt(index));
    expected.set(key, rowAt(index));
    if (index % 100 === 0) others.set(key, [index]);
    // Reads between the writes must not move the position of the next write.
    if (index % 64 === 0) expect(some.get(key)).toEqual(rowAt(index));
  }
  expect([...some.keys()]).toEqual([...expected.keys()]);
  for (const [key, row] of expected) expect(some.get(key)).toEqual(row);
  expect(others.get('key-700')).toEqual([2_600]);
  expect([some.get('key-9999'), others.has('key-7')]).toEqual([undefined, false]);
  file.close();
});

it('a file of rows leaves no file behind, even while it is open', async () => {
  const file = new RowFile(folder);
  const rows = file.rows<string>();
  for (let index = 0; index < 40; index++) rows.set(String(index), 'x'.repeat(100_000));
  expect(await readdir(folder)).toEqual([]);
  expect(rows.get('0')).toHaveLength(100_000);
  file.close();
});

it('few rows need no file', async () => {
  const missing = new RowFile(join(folder, 'missing'));
  const rows = missing.rows<string>();
  for (let index = 0; index < 100; index++) rows.set(String(index), 'x'.repeat(9_000));
  expect(rows.get('99')).toHaveLength(9_000);
  missing.close();
});

it('a folder that cannot be written is named', async () => {
  const taken = join(folder, 'taken');
  await writeFile(taken, '');
  const rows = new RowFile(taken).rows<string>();
  const fill = () => {
    for (let index = 0; index < 40; index++) rows.set(String(index), 'x'.repeat(100_000));
  };
  expect(fill).toThrow(Unavailable);
  expect(fill).toThrow(`The import needs a temporary file in ${taken}, and cannot write it.`);
  await rm(taken);
});
