import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { countOf, describeFindings } from '../workspace/describe-findings.ts';
import type { Finding } from '../workspace/finding.ts';
import { whyUnreadable } from '../workspace/read-document.ts';
import { demoTour, secretThatMay, type TouredDocument } from './demo-tour.ts';
import { shellWord } from './shell-word.ts';
import { StartFailure } from './start-failure.ts';
import type { WorkspaceStore } from './workspace-store.ts';

const demoFile = fileURLToPath(new URL('./demo-workspace.json', import.meta.url));

/** Says before the slow part of the start that a file is not there. */
export async function requireReadable(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await access(file, constants.R_OK).catch((error: Error) => {
      throw new StartFailure(`The workspace file ${file} cannot be read: ${whyUnreadable(error)}.`);
    });
  }
}

/** The lines about the workspaces that the start prints, for the address of the service. */
type Report = (url: string) => readonly string[];

/**
 * Loads the files or, without any, the demo workspace. A workspace that a former run has stored stays as it is, so that
 * edits survive a restart.
 * @throws StartFailure with everything that is wrong with a file
 */
export function loadWorkspaces(store: WorkspaceStore, files: readonly string[]): Promise<Report> {
  return files.length > 0 ? loadFiles(store, files) : loadDemo(store);
}

/** The secret of a key of the demo that has a permission; none when files are loaded instead. */
export async function demoSecret(files: readonly string[], permission: string): Promise<string | undefined> {
  return files.length > 0 ? undefined : secretThatMay(JSON.parse(await readFile(demoFile, 'utf8')), permission);
}

async function loadFiles(store: WorkspaceStore, files: readonly string[]): Promise<Report> {
  // All files first: two of them may hold parts of one new workspace.
  const stored = await Promise.all(files.map((file) => store.findStored(file)));
  const lines: string[] = [];
  const imports: string[] = [];
  const workspaceIds = new Set<string>();
  for (const [index, file] of files.entries()) {
    const workspaceId = stored[index];
    if (workspaceId === undefined) lines.push(...(await loadFile(store, file, workspaceIds)));
    else {
      workspaceIds.add(workspaceId);
      imports.push(file);
      lines.push(`Workspace ${workspaceId} is stored already; ${file} was not loaded.`);
    }
  }
  const keyless = await Promise.all([...workspaceIds].map(async (id) => ((await store.hasUsableKey(id)) ? [] : [id])));
  return (url) => [
    ...lines,
    ...(imports.length > 0 ? ['To import a file all the same, run beside the service:'] : []),
    ...imports.map((file) => `  ${importCall(file, url)}`),
    ...keyless.flat().flatMap((id) => howToMakeKey(id, url)),
  ];
}

async function loadFile(store: WorkspaceStore, file: string, workspaceIds: Set<string>): Promise<string[]> {
  const { workspaceId, newSecrets, warnings } = await importFile(store, file);
  workspaceIds.add(workspaceId);
  return [
    `Loaded workspace ${workspaceId} from ${file}${warnings.length > 0 ? ', with warnings:' : '.'}`,
    ...indented(warnings),
    ...newSecrets.map(
      ({ keyId, name, secret }) => `  ${secret}  is the secret of its key ${keyId} (${name}), shown this once`,
    ),
  ];
}

const importCall = (file: string, url: string): string => `npm run workspace -- import ${shellWord(file)} --url ${url}`;

const howToMakeKey = (workspaceId: string, url: string): string[] => [
  `Workspace ${workspaceId} has no API key that can be used. To make one, run beside the service:`,
  `  npm run workspace -- key create --workspace ${workspaceId} --name Website --url ${url}`,
];

async function loadDemo(store: WorkspaceStore): Promise<Report> {
  const document: TouredDocument = JSON.parse(await readFile(demoFile, 'utf8'));
  if ((await store.findStored(demoFile)) === undefined) await importFile(store, demoFile);
  return (url) => demoTour(document, url);
}

async function importFile(store: WorkspaceStore, file: string) {
  const summary = await store.importWorkspace(file);
  if (summary.failures.length > 0) throw new StartFailure(describeFailures(file, summary.failures));
  return summary;
}

function describeFailures(file: string, failures: readonly Finding[]): string {
  const count = countOf(failures, 'failure');
  return [`The workspace file ${file} was not loaded, because of ${count}:`, ...indented(failures)].join('\n');
}

const indented = (findings: readonly Finding[]): string[] => describeFindings(findings).map((line) => `  ${line}`);
