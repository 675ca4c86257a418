import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { MenuRow } from '#lib/domain/menu/menu-row.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { keys, type MenuKind } from '../keys.ts';
import { recordOf } from '../record-of.ts';
import type { Table } from '../table.ts';
import { Menu } from './menu.ts';

/**
 * The stored records of many rows in the rows' versions. It reads ranges, which costs a fraction of
 * single reads. The request's cache does not keep them. Access pattern W2.
 * @throws StaleRead
 */
export async function* menuRecords<Row extends MenuRow, Stored>(
  table: Table,
  scope: WorkspaceScope,
  kind: MenuKind,
  rows: readonly Row[],
): AsyncGenerator<readonly [Row, Stored]> {
  const remaining = new Map(rows.map((row) => [row.id, row]));
  const [from, to] = bounds([...remaining.keys()]);
  if (from === undefined || to === undefined) return;
  for await (const item of table.query({ pk: keys.records(scope.workspaceId, kind), from, to })) {
    const row = remaining.get(item.sk);
    if (!row || item['hash'] !== row.hash) continue;
    remaining.delete(item.sk);
    yield [row, recordOf<Stored>(item)];
  }
  // While an import moves records to their keys, some are still stored under the temporary ones.
  const menu = new Menu(table, scope);
  for (const row of remaining.values()) yield [row, await menu.record<Stored>(kind, row)];
}

function bounds(ids: readonly string[]): readonly [from: string | undefined, to: string | undefined] {
  const sorted = ids.toSorted(compareCodePoints);
  return [sorted[0], sorted.at(-1)];
}
