import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Holds everything that is built. */
export const buildFolder = fileURLToPath(new URL('../../.build', import.meta.url));

const ownFolder = fileURLToPath(new URL('..', import.meta.url));

/** Other inputs of a build: compiler settings and the installed packages. */
const otherInputs = [
  '../tsconfig.json',
  '../package.json',
  '../package-lock.json',
  '../node_modules/.package-lock.json',
];

export interface BuiltFile {
  readonly path: string;
  readonly contents: Uint8Array;
}

/**
 * Builds the files of a folder, unless it holds exactly those that the same sources were built into. A stamp beside the
 * folder says so.
 * @param source the folder of the functions
 */
export async function buildIfChanged(
  source: string,
  target: string,
  build: () => Promise<readonly BuiltFile[]>,
): Promise<readonly BuiltFile[]> {
  // As they are now, so that a change during the build makes the stamp invalid.
  const sources = await stateOfSources(source);
  const stampFile = `${target}.stamp`;
  const stamp = await readFile(stampFile, 'utf8').catch(() => undefined);
  const kept = stamp?.startsWith(sources) ? await readFiles(target) : [];
  if (stamp === stampOf(sources, kept)) return kept;
  const files = await build();
  await Promise.all(files.map((file) => replaceFile(target, file)));
  await removeOthers(target, files);
  // Only of these files: the folder may hold those of a concurrent build.
  await writeFile(stampFile, stampOf(sources, files));
  return files;
}

async function stateOfSources(source: string): Promise<string> {
  const files = [...(await filesIn(ownFolder)), ...(await filesIn(source))];
  files.push(...otherInputs.map((path) => join(ownFolder, path)));
  // Reading contents takes ten times as long, and a ctime cannot be set back.
  const states = files.map(async (path) => {
    const { size, ctimeMs } = await stat(path).catch(() => ({ size: -1, ctimeMs: 0 }));
    return [path, size, ctimeMs];
  });
  return hashOf(JSON.stringify(await Promise.all(states)));
}

function stampOf(sources: string, files: readonly BuiltFile[]): string {
  const hashes = files.map(({ path, contents }) => `${path} ${hashOf(contents)}`);
  return `${sources} ${hashOf(hashes.sort().join('\n'))}\n`;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** The files in a folder and its folders, with their contents. */
export const readFiles = async (folder: string): Promise<BuiltFile[]> =>
  Promise.all((await filesIn(folder)).map(async (path) => ({ path, contents: await readFile(path) })));

/** Replaces a file atomically: a concurrent run reads either the old or the new content. */
async function replaceFile(target: string, { path, contents }: BuiltFile): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(contents)) return;
  await mkdir(dirname(path), { recursive: true });
  // The temporary file lies outside the folder, because a function's folder is deployed as a whole.
  const unfinished = `${target}.${randomUUID()}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

async function removeOthers(target: string, files: readonly BuiltFile[]): Promise<void> {
  const built = new Set(files.map(({ path }) => path));
  const folders = new Set(files.map(({ path }) => path.slice(target.length + 1).split(sep)[0]));
  const present = await readdir(target).catch(() => []);
  const stale = present.filter((name) => !folders.has(name)).map((name) => join(target, name));
  const others = (await filesIn(target)).filter((path) => !built.has(path));
  await Promise.all([...stale, ...others].map((path) => rm(path, { recursive: true, force: true })));
}

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
