import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { countOf, describeFindings } from '../workspace/describe-findings.ts';
import type { Finding } from '../workspace/finding.ts';
import { whyUnreadable } from '../workspace/read-document.ts';
import { demoTour, secretThatMay, type TouredDocument } from './demo-tour.ts';
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

/** What to tell a person about the workspaces, once the address of the service is known. */
type Report = (url: string) => readonly string[];

/**
 * Loads the files or, without any, the demo workspace.
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
  const lines: string[] = [];
  for (const file of files) {
    const { workspaceId, newSecrets, warnings } = await importFile(store, file);
    lines.push(`Loaded workspace ${workspaceId} from ${file}${warnings.length > 0 ? ', with warnings:' : '.'}`);
    lines.push(...indented(warnings));
    for (const { keyId, name, secret } of newSecrets) {
      lines.push(`  ${secret}  is the secret of its key ${keyId} (${name}), shown this once`);
    }
  }
  return () => lines;
}

/** A demo that a former run has stored is left alone: what was edited since is kept. */
async function loadDemo(store: WorkspaceStore): Promise<Report> {
  const document: TouredDocument = JSON.parse(await readFile(demoFile, 'utf8'));
  if (!(await store.hasWorkspace(document.workspace.id))) await importFile(store, demoFile);
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
