import { jsonDocument } from '#lib/workspace/command/run-export.ts';
import { exportRecords } from '#lib/workspace/export-records.ts';
import { exportedFromScan } from './document-text.ts';
import { MemoryTable } from './memory-table.ts';
import { importFile, testTable } from './world.ts';

/**
 * Imports an export into an empty table, and exports it again. Only this test file may use the table.
 * @param steps the earlier steps, for the message
 * @returns the warnings of the import
 * @throws when the import is refused, or the second export differs
 */
export async function expectExportRoundTrip(workspaceId: string, steps: readonly string[] = []): Promise<string[]> {
  const document = await exportedFromScan(workspaceId);
  const { table } = new MemoryTable(testTable().name);
  const { failures, warnings } = await importFile(document, {}, table);
  const how = `after\n${steps.join('\n')}`;
  if (failures.length > 0) throw new Error(`The export is refused: ${JSON.stringify(failures, null, 1)} ${how}`);
  const text = (await Array.fromAsync(jsonDocument(exportRecords(table, workspaceId)))).join('');
  const again = JSON.stringify({ ...JSON.parse(text), exportedAt: document.exportedAt }, null, 1);
  const first = JSON.stringify(document, null, 1);
  if (again !== first) {
    const lines = first.split('\n');
    const others = again.split('\n');
    const at = lines.findIndex((line, index) => line !== others[index]);
    const part = (all: string[]) => all.slice(Math.max(0, at - 12), at + 3).join('\n');
    throw new Error(`The second export is another: ${part(lines)}\n, not ${part(others)} ${how}`);
  }
  return warnings.map(({ kind, id, path, code }) => `${kind} ${id} ${path} ${code}`);
}
