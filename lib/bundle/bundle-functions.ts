import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stop } from 'esbuild';
import { functionNames, functionsFolder } from '#lib/endpoints.ts';
import { BuildStamp } from './build-stamp.ts';
import { compile } from './compile.ts';
import { copiedAssets } from './copied-assets.ts';
import { dynamicImportEntries } from './split-dynamic-imports.ts';
import { stubPackageDynamicImports } from './stub-package-dynamic-imports.ts';

const bundleFolder = fileURLToPath(new URL('../../.build/functions', import.meta.url));

export interface Bundle {
  /** The function's name. */
  readonly name: string;
  /** The code asset of the Lambda; its handler is `index.handler`. */
  readonly folder: string;
  readonly file: string;
}

/**
 * Bundles every function in one pass, sorted by name. Deployment, the local run and tests use the same files. The
 * output is CommonJS with the SDK inside, because it starts in half the time of ES modules. A module that our own code
 * imports with `import()` becomes a second file in the function's folder, loaded on demand. Unchanged sources reuse the
 * files of the last build.
 */
export async function bundleFunctions(source = functionsFolder, target = bundleFolder): Promise<Bundle[]> {
  const names = await functionNames(source);
  const bundles = names.map((name) => ({ name, folder: join(target, name), file: join(target, name, 'index.js') }));
  const stamp = await BuildStamp.of(source, target);
  if (await stamp.isValid()) return bundles;
  const files = await buildFiles(source, target, bundles);
  await Promise.all(files.map(({ path, contents }) => replaceFile(path, contents)));
  await removeOthers(target, names);
  await Promise.all(bundles.map(({ folder }) => removeOthers(folder, namesIn(folder, files))));
  await stamp.write(files);
  return bundles;
}

interface BuiltFile {
  readonly path: string;
  readonly contents: Uint8Array;
}

async function buildFiles(source: string, target: string, bundles: readonly Bundle[]): Promise<BuiltFile[]> {
  const entries = Object.fromEntries(bundles.map(({ name }) => [`${name}/index`, join(source, name, 'handler.ts')]));
  const { outputFiles, metafile } = await compile(target, entries, [stubPackageDynamicImports]);
  const secondFiles = await compile(target, dynamicImportEntries(metafile));
  const assets = await copiedAssets(metafile);
  // Otherwise the compiler's process of more than 100 MB stays alive.
  await stop();
  const commonJs = bundles.map(({ folder }) => ({ path: join(folder, 'package.json'), contents: commonJsMark }));
  return [...outputFiles, ...secondFiles.outputFiles, ...commonJs, ...assets];
}

/** The project has `"type": "module"`; the bundles are CommonJS. */
const commonJsMark = new TextEncoder().encode('{ "type": "commonjs" }\n');

/** Replaces a file atomically: a concurrent run reads either the old or the new content. */
async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(contents)) return;
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // The temporary file lies outside the function's folder, because that folder is deployed as a whole.
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
