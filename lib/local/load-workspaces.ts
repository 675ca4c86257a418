import { countOf, describeFindings } from '../workspace/describe-findings.ts';
import type { Finding } from '../workspace/finding.ts';
import { demoFile, demoTour } from './demo-tour.ts';
import { StartFailure } from './start-failure.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** Makes the printed lines about the workspaces from the address of the service. */
type Report = (url: string) => readonly string[];

/**
 * Loads the files or, without any, the demo workspace. A stored workspace is not loaded again, so edits survive a
 * restart.
 * @throws StartFailure with all errors of a file
 */
export function loadWorkspaces(store: WorkspaceStore, files: readonly string[]): Promise<Report> {
  return files.length > 0 ? loadFiles(store, files) : loadDemo(store);
}

async function loadFiles(store: WorkspaceStore, files: readonly string[]): Promise<Report> {
  // Two files may hold parts of one new workspace, so all are looked up before the first is loaded.
  const storedIds = await Promise.all(files.map((file) => store.findStored(file)));
  const lines: string[] = [];
  const skippedFiles: string[] = [];
  const workspaceIds = new Set<string>();
  for (const [index, file] of files.entries()) {
    const workspaceId = storedIds[index];
    if (workspaceId === undefined) lines.push(...(await loadFile(store, file, workspaceIds)));
    else {
      workspaceIds.add(workspaceId);
      skippedFiles.push(file);
      lines.push(`Workspace ${workspaceId} is stored already; ${file} was not loaded.`);
    }
  }
  const keyless = await Promise.all([...workspaceIds].map(async (id) => ((await store.hasUsableKey(id)) ? [] : [id])));
  return (url) => [
    ...lines,
    ...(skippedFiles.length > 0 ? ['To import a file all the same, run beside the service:'] : []),
    ...skippedFiles.map((file) => `  ${importCommand(file, url)}`),
    ...keyless.flat().flatMap((id) => keyCommand(id, url)),
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

const importCommand = (file: string, url: string): string =>
  `npm run workspace -- import ${shellWord(file)} --url ${url}`;

/** A text as one word of a shell command, in quotes where they are needed. */
const shellWord = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const keyCommand = (workspaceId: string, url: string): string[] => [
  `Workspace ${workspaceId} has no API key that can be used. To make one, run beside the service:`,
  `  npm run workspace -- key create --workspace ${workspaceId} --name Website --url ${url}`,
];

async function loadDemo(store: WorkspaceStore): Promise<Report> {
  if ((await store.findStored(demoFile)) === undefined) await importFile(store, demoFile);
  return demoTour();
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
