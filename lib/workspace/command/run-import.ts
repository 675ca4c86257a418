import type { Table } from '#lib/table/table.ts';
import type { Finding } from '../finding.ts';
import { importDocument } from '../import-document.ts';
import { UnreadableDocument } from '../read-document.ts';
import { CommandFailure } from './command-failure.ts';
import type { Command } from './command-line.ts';
import { inLine, type Terminal } from './terminal.ts';

const warningsShownMax = 20;
const failuresShownMax = 200;

/** `import FILE [--prune]`: says what is wrong with the file, all of it, or what was changed. */
export async function runImport(
  { file, prune }: Extract<Command, { readonly name: 'import' }>,
  table: Table,
  terminal: Terminal,
): Promise<void> {
  terminal.note(`Checking ${file}`);
  const result = await importDocument(table, file, {
    prune,
    watch: (records, total) => terminal.progress('Importing', total).counting(records),
    onWait: () => terminal.note('Another import of this workspace is running; waiting for it to end.'),
  }).catch((error) => {
    throw error instanceof UnreadableDocument ? new CommandFailure(error.message) : error;
  });
  const { failures, warnings, workspaceId, counts, changed, newSecrets } = result;
  for (const line of listed(warnings, warningsShownMax)) terminal.note(`warning: ${line}`);
  if (failures.length > 0) {
    const lines = listed(failures, failuresShownMax).map((line) => `  ${line}`);
    const count = failures.length === 1 ? 'a failure' : `${failures.length} failures`;
    throw new CommandFailure([`Nothing was imported: ${file} has ${count}.`, ...lines].join('\n'));
  }
  for (const { keyId, name, secret } of newSecrets) {
    terminal.print(`Key ${keyId} (${inLine(name)}). Its secret, shown this once:`);
    terminal.print(secret);
  }
  const found = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`);
  const changes = `${changed} change${changed === 1 ? '' : 's'}`;
  terminal.print(`Imported workspace ${workspaceId}: ${changes} (${found.join(', ')}).`);
}

function listed(findings: readonly Finding[], most: number): string[] {
  const lines = findings
    .slice(0, most)
    .map((finding) => inLine(`${nameOf(finding)}: ${finding.message} (${finding.code})`));
  return findings.length > most ? [...lines, `and ${findings.length - most} more`] : lines;
}

/** What is no record is found by its line only. */
function nameOf({ kind, id, path, place }: Finding): string {
  const line = kind === 'document' && place.startsWith('line ') ? place : '';
  return [kind, id || line, path].filter(Boolean).join(' ');
}
