import { isInForce } from '#lib/domain/access/api-key.ts';
import { Failure } from '#lib/domain/failure.ts';
import { ApiKeyRecords } from '#lib/table/access/api-key-records.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import type { Finding } from '#lib/workspace/document-item.ts';
import { readDocument } from '#lib/workspace/read-document.ts';
import { countOf, describeFindings } from '../workspace/describe-findings.ts';
import { findWorkspaceId, importDocument } from '../workspace/import-document.ts';
import { demoFile, demoTour } from './demo-tour.ts';

/** Makes the printed lines about the workspaces from the address of the service. */
type Report = (url: string) => readonly string[];

/**
 * Loads the files or, without any, the demo workspace. A stored workspace is not loaded again, so edits survive a
 * restart.
 * @param table without its cache
 * @throws Failure with all errors of a file
 */
export function loadWorkspaces(table: Table, files: readonly string[]): Promise<Report> {
  return files.length > 0 ? loadFiles(table, files) : loadDemo(table);
}

async function loadFiles(table: Table, files: readonly string[]): Promise<Report> {
  // Two files may hold parts of one new workspace, so all are looked up before the first is loaded.
  const storedIds = await Promise.all(files.map((file) => findStored(table, file)));
  const lines: string[] = [];
  const skippedFiles: string[] = [];
  const workspaceIds = new Set<string>();
  for (const [index, file] of files.entries()) {
    const workspaceId = storedIds[index];
    if (workspaceId === undefined) lines.push(...(await loadFile(table, file, workspaceIds)));
    else {
      workspaceIds.add(workspaceId);
      skippedFiles.push(file);
      lines.push(`Workspace ${workspaceId} is stored already; ${file} was not loaded.`);
    }
  }
  const keyless = await Promise.all([...workspaceIds].map(async (id) => ((await hasUsableKey(table, id)) ? [] : [id])));
  return (url) => [
    ...lines,
    ...(skippedFiles.length > 0 ? ['To import a file all the same, run beside the service:'] : []),
    ...skippedFiles.map((file) => `  ${importCommand(file, url)}`),
    ...keyless.flat().flatMap((id) => keyCommand(id, url)),
  ];
}

async function loadFile(table: Table, file: string, workspaceIds: Set<string>): Promise<string[]> {
  const { workspaceId, newSecrets, warnings } = await importFile(table, file);
  workspaceIds.add(workspaceId);
  return [
    `Loaded workspace ${workspaceId} from ${file}${warnings.length > 0 ? ', with warnings:' : '.'}`,
    ...indented(warnings),
    ...newSecrets.map(
      ({ keyId, name, secret }) => `  ${secret}  is the secret of its key ${keyId} (${name}), shown this once`,
    ),
  ];
}

const importCommand = (file: string, url: string): string =>
  `npm run workspace -- import ${shellWord(file)} --url ${url}`;

/** A text as one word of a shell command, in quotes where they are needed. */
const shellWord = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const keyCommand = (workspaceId: string, url: string): string[] => [
  `Workspace ${workspaceId} has no API key that can be used. To make one, run beside the service:`,
  `  npm run workspace -- key create --workspace ${workspaceId} --name Website --url ${url}`,
];

async function loadDemo(table: Table): Promise<Report> {
  if ((await findStored(table, demoFile)) === undefined) await importFile(table, demoFile);
  return demoTour();
}

/** Finds the stored workspace of a document. @returns its id */
async function findStored(table: Table, file: string): Promise<string | undefined> {
  const workspaceId = await findWorkspaceId(() => readDocument(file));
  return workspaceId !== undefined && (await findWorkspace(table, workspaceId)) ? workspaceId : undefined;
}

/** True if a workspace has an API key that is valid now. */
async function hasUsableKey(table: Table, workspaceId: string): Promise<boolean> {
  const records = new ApiKeyRecords(table, { workspaceId });
  const active = new Set((await records.members()).filter(({ active }) => active).map(({ id }) => id));
  const keys = await records.list();
  return keys.some((key) => isInForce(key) && (key.memberId === null || active.has(key.memberId)));
}

async function importFile(table: Table, file: string) {
  const summary = await importDocument(table, file, { isBeginning: true });
  if (summary.failures.length > 0) throw new Failure(describeFailures(file, summary.failures));
  return summary;
}

function describeFailures(file: string, failures: readonly Finding[]): string {
  const count = countOf(failures, 'failure');
  return [`The workspace file ${file} was not loaded, because of ${count}:`, ...indented(failures)].join('\n');
}

const indented = (findings: readonly Finding[]): string[] => describeFindings(findings).map((line) => `  ${line}`);
