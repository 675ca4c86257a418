import { describe, expect, it } from '@jest/globals';
import { ImportedRows } from '#lib/table/import/imported-rows.ts';
import { RowFile } from '#lib/table/import/row-file.ts';

type Row = { readonly name: string };
const stored = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([id, name]) => [id, { name }] as const);

describe.each([
  ['in memory', () => new Map<string, Row>()],
  ['in a file', () => new RowFile().rows<Row>()],
])('the rows of an import, %s', (_, newMap) => {
  const open = async (names: Readonly<Record<string, string>>) => {
    const rows = new ImportedRows<Row>(newMap);
    await rows.open(stored(names));
    const rowsAfter = (prune: boolean) =>
      Object.fromEntries(
        rows
          .idsAfter(prune)
          .sort()
          .map((id) => [id, rows.after(id)?.name]),
      );
    return { rows, rowsAfter };
  };

  it('are those of the document, and without pruning the stored ones that it does not name', async () => {
    const { rows, rowsAfter } = await open({ a: 'A', b: 'B', c: 'C' });
    rows.name('a', { name: 'A' });
    expect([rows.isChanged(false), rows.isChanged(true), rows.unnamed()]).toEqual([false, true, ['b', 'c']]);
    rows.name('b', { name: 'Other' });
    rows.name('d', { name: 'D' });
    expect(rows.isChanged(false)).toBe(true);
    expect([rowsAfter(false), rowsAfter(true)]).toEqual([
      { a: 'A', b: 'Other', c: 'C', d: 'D' },
      { a: 'A', b: 'Other', d: 'D' },
    ]);
    rows.name('b');
    expect(rowsAfter(true)).toEqual({ a: 'A', b: 'B', d: 'D' });
  });

  it('show changes of the service that are read later, where the document changes nothing', async () => {
    const { rows, rowsAfter } = await open({ same: '1', gone: '1', changed: '1', left: '1' });
    for (const id of ['same', 'gone']) rows.name(id, { name: '1' });
    rows.name('changed', { name: '2' });
    await rows.open(stored({ same: '3', changed: '3', left: '3', made: '3' }));
    expect(rows.unnamed()).toEqual(['left', 'made']);
    expect(rowsAfter(false)).toEqual({ same: '3', changed: '2', left: '3', made: '3' });
    expect(rowsAfter(true)).toEqual({ same: '3', changed: '2' });
  });
});
