import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ownFolder = fileURLToPath(new URL('..', import.meta.url));

/** What the compiler goes by, and what npm has written last when it has installed or changed packages. */
const beside = ['../tsconfig.json', '../package.json', '../package-lock.json', '../node_modules/.package-lock.json'];

/** Tells bundles that are still what their sources say from those that must be made again. */
export class BundleStamp {
  readonly #file: string;
  readonly #target: string;
  readonly #sources: string;

  private constructor(target: string, sources: string) {
    this.#target = target;
    // Not in the folder itself, where only functions are.
    this.#file = `${target}.stamp`;
    this.#sources = sources;
  }

  /** Looks at the sources as they are now: who changes them while they are bundled has them bundled again. */
  static async of(source: string, target: string): Promise<BundleStamp> {
    const files = [...(await filesIn(ownFolder)), ...(await filesIn(source))];
    files.push(...beside.map((path) => join(ownFolder, path)));
    // Content is not read, which takes ten times as long; a time of change cannot be set back.
    const states = files.map(async (path) => [path, ...(await stateOf(path))]);
    return new BundleStamp(target, hashOf(JSON.stringify(await Promise.all(states))));
  }

  /** Whether the target holds exactly what was made from these sources. */
  async isValid(): Promise<boolean> {
    const stamp = await readFile(this.#file, 'utf8').catch(() => undefined);
    if (!stamp?.startsWith(this.#sources)) return false;
    const paths = await filesIn(this.#target);
    const files = paths.map(async (path) => ({ path, contents: await readFile(path) }));
    return stamp === this.#textFor(await Promise.all(files));
  }

  /** @param files all that was made, whatever others may have put into the target meanwhile */
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
