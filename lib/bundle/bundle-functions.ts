import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stop } from 'esbuild';
import { functionNames, functionsFolder } from '#lib/endpoints.ts';
import { compile } from './compile.ts';
import { filesBeside } from './files-beside.ts';
import { entriesOnDemand } from './on-demand.ts';
import { BundleStamp } from './stamp.ts';
import { withoutExtras } from './without-extras.ts';

const bundleFolder = fileURLToPath(new URL('../../.build/functions', import.meta.url));

export interface Bundle {
  /** The function's name. */
  readonly name: string;
  /** What a Lambda is made of; its handler is `index.handler`. */
  readonly folder: string;
  readonly file: string;
}

/**
 * Bundles every function in one pass, sorted by name. The files are the same for deployment, the local run and tests:
 * CommonJS with the SDK inside, because that starts in half the time of ES modules. What our own code imports with
 * `import()` becomes a second file in the folder of the function that does, and is loaded when it is needed. While
 * nothing has changed the files of the last time serve again.
 */
export async function bundleFunctions(source = functionsFolder, target = bundleFolder): Promise<Bundle[]> {
  const names = await functionNames(source);
  const bundles = names.map((name) => ({ name, folder: join(target, name), file: join(target, name, 'index.js') }));
  const stamp = await BundleStamp.of(source, target);
  if (await stamp.isValid()) return bundles;
  const files = await makeFiles(source, target, bundles);
  await Promise.all(files.map(({ path, contents }) => replaceFile(path, contents)));
  await removeOthers(target, names);
  await Promise.all(bundles.map(({ folder }) => removeOthers(folder, namesIn(folder, files))));
  await stamp.write(files);
  return bundles;
}

interface MadeFile {
  readonly path: string;
  readonly contents: Uint8Array;
}

async function makeFiles(source: string, target: string, bundles: readonly Bundle[]): Promise<MadeFile[]> {
  const entries = Object.fromEntries(bundles.map(({ name }) => [`${name}/index`, join(source, name, 'handler.ts')]));
  const { outputFiles, metafile } = await compile(target, entries, [withoutExtras]);
  const onDemand = await compile(target, entriesOnDemand(metafile));
  // The compiler stays behind as a process of more than 100 MB otherwise.
  await stop();
  const commonJs = bundles.map(({ folder }) => ({ path: join(folder, 'package.json'), contents: commonJsMark }));
  return [...outputFiles, ...onDemand.outputFiles, ...commonJs, ...(await filesBeside(metafile))];
}

/** The project is of type module, the bundles are not. */
const commonJsMark = new TextEncoder().encode('{ "type": "commonjs" }\n');

/** Whoever reads a bundle while it is made again, such as a second run, sees the old file or the new one. */
async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(contents)) return;
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // Not in the function's own folder, all of which is deployed.
  const unfinished = join(folder, '../..', `unfinished-${randomUUID()}`);
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

const namesIn = (folder: string, files: readonly { readonly path: string }[]): string[] =>
  files.filter(({ path }) => dirname(path) === folder).map(({ path }) => basename(path));

async function removeOthers(target: string, names: readonly string[]): Promise<void> {
  const present = await readdir(target).catch(() => []);
  const stale = present.filter((name) => !names.includes(name));
  await Promise.all(stale.map((name) => rm(join(target, name), { recursive: true, force: true })));
}
