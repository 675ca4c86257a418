import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ownFolder = fileURLToPath(new URL('..', import.meta.url));

/** Other inputs of a build: compiler settings and the installed packages. */
const otherInputs = [
  '../tsconfig.json',
  '../package.json',
  '../package-lock.json',
  '../node_modules/.package-lock.json',
];

/** Checks that the bundles on disk match their sources. */
export class BuildStamp {
  readonly #file: string;
  readonly #target: string;
  readonly #sources: string;

  private constructor(target: string, sources: string) {
    this.#target = target;
    // Beside the folder, because the folder holds functions only.
    this.#file = `${target}.stamp`;
    this.#sources = sources;
  }

  /** Records the sources as they are now, so that a change during the build makes the stamp invalid. */
  static async of(source: string, target: string): Promise<BuildStamp> {
    const files = [...(await filesIn(ownFolder)), ...(await filesIn(source))];
    files.push(...otherInputs.map((path) => join(ownFolder, path)));
    // Reading contents takes ten times as long, and a ctime cannot be set back.
    const states = files.map(async (path) => [path, ...(await stateOf(path))]);
    return new BuildStamp(target, hashOf(JSON.stringify(await Promise.all(states))));
  }

  /** Whether the target holds exactly the files that these sources were built into. */
  async isValid(): Promise<boolean> {
    const stamp = await readFile(this.#file, 'utf8').catch(() => undefined);
    if (!stamp?.startsWith(this.#sources)) return false;
    const paths = await filesIn(this.#target);
    const files = paths.map(async (path) => ({ path, contents: await readFile(path) }));
    return stamp === this.#textFor(await Promise.all(files));
  }

  /** @param files the files of this build; the target may hold files of a concurrent one */
  async write(files: readonly { readonly path: string; readonly contents: Uint8Array }[]): Promise<void> {
    await writeFile(this.#file, this.#textFor(files));
  }

  #textFor(files: readonly { readonly path: string; readonly contents: Uint8Array }[]): string {
    const hashes = files.map(({ path, contents }) => `${path} ${hashOf(contents)}`);
    return `${this.#sources} ${hashOf(hashes.sort().join('\n'))}\n`;
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

async function stateOf(path: string): Promise<readonly number[]> {
  const { size, ctimeMs } = await stat(path).catch(() => ({ size: -1, ctimeMs: 0 }));
  return [size, ctimeMs];
}

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
