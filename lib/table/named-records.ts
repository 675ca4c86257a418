import { inGroups } from '#lib/domain/in-groups.ts';
import { keys } from './keys.ts';
import type { Range } from './range.ts';
import type { RecordKind } from './record-kinds.ts';
import { isNameOf } from './record-names.ts';
import { keptRecordOf } from './retention.ts';
import type { Table, WorkspaceScope } from './table.ts';

/**
 * The records of a kind with the names of a range (W3), in the order of their names. A pointer without its record, or to a
 * record that no longer has the name, is left out. It reads only as far as the caller iterates.
 * @param atOnce the number of pointers, and of records, in a read
 */
export async function* namedRecords<Stored extends object>(
  table: Table,
  { workspaceId }: WorkspaceScope,
  kind: RecordKind,
  range: Required<Pick<Range, 'from' | 'to'>>,
  atOnce: number,
): AsyncGenerator<{ readonly name: string; readonly record: Stored }> {
  const pointers = table.query({ pk: keys.slugs(workspaceId, kind), ...range, perPage: atOnce });
  for await (const some of inGroups(pointers, atOnce)) {
    const items = await Promise.all(some.map(({ id }) => table.get(keys.record(workspaceId, kind, String(id)))));
    for (const [index, { sk: name }] of some.entries()) {
      const record = keptRecordOf<Stored>(kind, items[index]);
      if (record && isNameOf(kind, record, name)) yield { name, record };
    }
  }
}
