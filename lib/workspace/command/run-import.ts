import { isGeneratedSecret } from '#lib/domain/access/key-secret.ts';
import { Failure } from '#lib/domain/failure.ts';
import { kinds, type ParsedRecord } from '#lib/kinds/kinds.ts';
import type { Table } from '#lib/table/table.ts';
import { countOf, describeFindings } from '../describe-findings.ts';
import type { Finding } from '../document-item.ts';
import type { Edit } from '../edits.ts';
import { escapeControlCharacters } from '../escape-control-characters.ts';
import { type EditsDecision, type ImportResult, importDocument } from '../import-document.ts';
import type { Command } from './command-line.ts';
import { documentIn, requireNew, writeNewFile } from './run-export.ts';
import { counted, type Terminal } from './terminal.ts';

type ImportCommand = Omit<Extract<Command, { readonly name: 'import' }>, 'name' | 'target'>;

/** `import FILE`: prints all failures of the file, or the changes. */
export async function runImport(command: ImportCommand, table: Table, terminal: Terminal): Promise<void> {
  const { file, prune, dryRun, all, backup } = command;
  if (backup !== undefined) await requireNew(backup);
  terminal.note(`Checking ${file}`);
  const foreign: string[] = [];
  const result = await importDocument(table, file, {
    prune,
    dryRun,
    concurrentEdits: command.edits === 'undo' ? 'undo' : 'keep',
    onEdits: (edits, failures) => decide(command, edits, failures, terminal),
    watch: (records, total) => terminal.progress('Importing', total).counting(noteForeignSecrets(records, foreign)),
    backup:
      backup === undefined
        ? undefined
        : async (records) => {
            const progress = terminal.progress('Backing up');
            await writeNewFile(backup, documentIn(backup, progress.counting(records)));
            terminal.note(`Wrote ${progress.count} records that the import changes or removes to ${backup}.`);
          },
    onWait: () => terminal.note('Another import of this workspace is running; waiting for it to end.'),
  });
  const { failures, warnings } = result;
  for (const line of describeFindings(warnings)) terminal.note(`warning: ${line}`);
  if (failures.length > 0) {
    const lines = describeFindings(failures, { all }).map((line) => `  ${line}`);
    throw new Failure([`Nothing was imported: ${file} has ${countOf(failures, 'failure')}.`, ...lines].join('\n'));
  }
  if (foreign.length > 0) terminal.note(`warning: ${warningOf(foreign)}`);
  if (dryRun) printDryRun(result, command.edits, terminal);
  else printResult(result, command.edits, terminal);
  if (warnings.length > 0) terminal.note(warningSummary(result, dryRun));
}

/** Warnings do not fail an import, so the last line explains them. */
function warningSummary({ warnings, isExport }: ImportResult, dryRun: boolean): string {
  const count = counted(warnings.length, 'warning');
  const summary = `${count}, listed above: these records ${dryRun ? 'would be' : 'were'} imported as they are.`;
  if (!isExport) return summary;
  return `${summary} The document has exportedAt, so mistakes of a person who has edited it can be among them.`;
}

/** @throws Failure without a terminal for the question */
async function decide(
  { edits: decision, dryRun }: ImportCommand,
  edits: readonly Edit[],
  failures: readonly Finding[],
  terminal: Terminal,
): Promise<EditsDecision> {
  if (decision) return decision;
  if (failures.length > 0) return 'stop';
  if (dryRun) return 'undo';
  const warning = `The import would undo ${editCount(edits)} made through the service since the document was exported`;
  if (!terminal.ask) {
    throw new Failure(
      `Nothing was imported. ${warning}. Use --yes to undo them, --keep-edits to keep the edited records, or --dry-run to list them.`,
    );
  }
  for (const line of editLines(edits)) terminal.note(line);
  if (await terminal.ask(`${warning}. Undo?`)) return 'undo';
  throw new Failure('Nothing was imported.');
}

function printDryRun(result: ImportResult, decision: ImportCommand['edits'], terminal: Terminal): void {
  const { workspaceId, counts, edits, removed } = result;
  const verb = decision === 'keep' ? 'keep' : 'undo';
  const fate = edits.length === 0 ? 'It would undo no edits.' : `It would ${verb} ${editCount(edits)}:`;
  terminal.print(
    `Nothing was changed. The document of workspace ${workspaceId} is valid (${formatCounts(counts)}). ${fate}`,
  );
  for (const line of editLines(edits, decision)) terminal.print(line);
  for (const line of removalLines(removed, 'would')) terminal.print(line);
}

function printResult(result: ImportResult, decision: ImportCommand['edits'], terminal: Terminal): void {
  const { workspaceId, counts, changed, removed, newSecrets, edits, concurrentEdits } = result;
  for (const { keyId, name, secret } of newSecrets) {
    terminal.print(`Key ${keyId} (${escapeControlCharacters(name)}). Its secret, shown this once:`);
    terminal.print(secret);
  }
  const decided = decision === 'undo' ? [...edits, ...concurrentEdits] : edits;
  if (decided.length > 0) terminal.print(`${decision === 'keep' ? 'Kept' : 'Undid'} ${editCount(decided)}.`);
  if (decision !== 'undo' && concurrentEdits.length > 0) {
    terminal.print(`Kept ${editCount(concurrentEdits)} made while the import ran:`);
    for (const line of editLines(concurrentEdits, 'keep')) terminal.print(line);
  }
  for (const line of removalLines(removed)) terminal.print(line);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const changes = `${counted(changed, 'change')} in ${counted(total, 'record')}`;
  terminal.print(`Imported workspace ${workspaceId}: ${changes} (${formatCounts(counts)}).`);
}

/** Prints the records that `--prune` has removed or would remove, and the responses and messages that stay. */
function removalLines(removed: ImportResult['removed'], would?: 'would'): string[] {
  if (Object.keys(removed).length === 0) return [];
  const [remove, stay] = would ? ['Would remove', 'would stay'] : ['Removed', 'stay'];
  return [
    `${remove} what the document does not name: ${formatCounts(inKindOrder(removed))}.`,
    ...(removed.form ? [`Responses to the removed forms ${stay}, unless the document has responses.`] : []),
    ...(removed.conversation
      ? [`Messages of the removed conversations ${stay}, unless the document has messages.`]
      : []),
  ];
}

const inKindOrder = (removed: ImportResult['removed']): ImportResult['removed'] =>
  Object.fromEntries(kinds.flatMap((kind) => (kind !== 'workspace' && removed[kind] ? [[kind, removed[kind]]] : [])));

const editCount = (edits: readonly Edit[]): string => counted(edits.length, 'edit');

const formatCounts = (counts: Readonly<Partial<Record<string, number>>>): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');

const editLines = (edits: readonly Edit[], decision?: ImportCommand['edits']): string[] =>
  edits.map(({ kind, id, modelId, editedAt, isMissing }) => {
    const name = modelId === undefined ? id : `${modelId}/${id}`;
    return escapeControlCharacters(
      `  ${kind} ${name}, changed ${editedAt}${isMissing && decision !== 'keep' ? ', would be removed' : ''}`,
    );
  });

/**
 * Finds keys whose secrets this service did not generate. They are allowed, because keys of another service move with
 * their clients. No rule can tell a random secret from an invented one, so the import only warns.
 */
async function* noteForeignSecrets(records: AsyncIterable<ParsedRecord>, keyIds: string[]) {
  for await (const parsed of records) {
    if (parsed.kind === 'apiKey') {
      const { id, secret } = parsed.record;
      if (secret !== undefined && !isGeneratedSecret(secret)) keyIds.push(id);
    }
    yield parsed;
  }
}

const namedMax = 5;

function warningOf(keyIds: readonly string[]): string {
  const count = keyIds.length;
  const named = [...keyIds.slice(0, namedMax), ...(count > namedMax ? [`${count - namedMax} more`] : [])];
  const keys = count === 1 ? 'The secret of 1 key was' : `The secrets of ${count} keys were`;
  return escapeControlCharacters(
    `${keys} not made by this service: ${named.join(', ')}. If a person made them up, others can guess them; "key rotate" replaces them by random ones.`,
  );
}
