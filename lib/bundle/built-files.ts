import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readFiles } from './build-if-changed.ts';

type Files = ReadonlyMap<string, Uint8Array>;

const made = new Map<string, Promise<Files>>();

/**
 * The content of a file that is made with the bundles: `console+main-1A2B3C4D.js`, `openapi.json`. In bundles, other code
 * replaces this module: it reads the file beside the function. Here the files of its group are made at its first use.
 */
export async function builtFile(name: string): Promise<Uint8Array | undefined> {
  const [group = ''] = name.split(/[+.]/, 1);
  return (await builtGroup(group)).get(name);
}

/** All files of a group by their names. */
export function builtGroup(group: string): Promise<Files> {
  const files = made.get(group) ?? make(group);
  made.set(group, files);
  return files;
}

/** Another process makes them: this one has other work, and may have loaded the sources before a change. */
async function make(group: string): Promise<Files> {
  const program = fileURLToPath(new URL('make-files.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, group]);
  const files = await readFiles(stdout);
  return new Map(files.map(({ path, contents }) => [basename(path), contents]));
}
