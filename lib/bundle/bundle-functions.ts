import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Metafile, type Plugin, stop } from 'esbuild';
import { functionNames, functionsFolder } from '#lib/endpoints.ts';
import { BuildStamp } from './build-stamp.ts';
import { compile } from './compile.ts';
import { makeAllFiles } from './make-files.ts';
import { builtFilesModule } from './read-built-files.ts';
import { dynamicImportEntries } from './split-dynamic-imports.ts';

const buildFolder = fileURLToPath(new URL('../../.build', import.meta.url));

export interface Bundle {
  /** The function's name. */
  readonly name: string;
  /** The code asset of the Lambda; its handler is `index.handler`. */
  readonly folder: string;
  readonly file: string;
}

/**
 * Bundles every function in one pass, sorted by name. Deployment and tests use the same files. The output is CommonJS
 * with the SDK inside, because it starts in half the time of ES modules. A module that our own code imports with
 * `import()` becomes a second file in the function's folder, loaded on demand. Unchanged sources reuse the files of the
 * last build.
 */
export async function bundleFunctions(
  source = functionsFolder,
  target = join(buildFolder, 'functions'),
): Promise<Bundle[]> {
  const names = await functionNames(source);
  const entries = Object.fromEntries(names.map((name) => [`${name}/index`, join(source, name, 'handler.ts')]));
  await buildIfChanged({ source, target, names, entries, plugins: [] });
  return names.map((name) => ({ name, folder: join(target, name), file: join(target, name, 'index.js') }));
}

/**
 * Bundles all functions into one module, for a process that runs all of them. That takes a fifth of the work, because
 * shared modules are written and loaded only once.
 * @returns the file of the module. It exports the modules of the functions by their names.
 */
export async function bundleTogether(
  source = functionsFolder,
  target = join(buildFolder, 'together'),
): Promise<string> {
  const [name, entry] = ['functions', 'all-functions'];
  const plugins = [joinFunctions(entry, source, await functionNames(source))];
  await buildIfChanged({ source, target, names: [name], entries: { [`${name}/index`]: entry }, plugins });
  return join(target, name, 'index.js');
}

/** A module that exports the modules of all functions. */
const joinFunctions = (entry: string, source: string, names: readonly string[]): Plugin => ({
  name: 'join-functions',
  setup: (compiler) => {
    const quote = JSON.stringify;
    const exported = names.map((name) => `export * as ${quote(name)} from ${quote(join(source, name, 'handler.ts'))};`);
    compiler.onResolve({ filter: new RegExp(`^${entry}$`) }, ({ path }) => ({ path, namespace: entry }));
    compiler.onLoad({ filter: /^/, namespace: entry }, () => ({ contents: exported.join('\n'), resolveDir: source }));
  },
});

interface Build {
  readonly source: string;
  readonly target: string;
  /** The names of the folders in the target. */
  readonly names: readonly string[];
  /** The entry modules by output path without extension. */
  readonly entries: Readonly<Record<string, string>>;
  readonly plugins: readonly Plugin[];
}

async function buildIfChanged({ source, target, names, entries, plugins }: Build): Promise<void> {
  const stamp = await BuildStamp.of(source, target);
  if (await stamp.isValid()) return;
  const folders = names.map((name) => join(target, name));
  const files = await buildFiles(target, folders, entries, plugins);
  await Promise.all(files.map(({ path, contents }) => replaceFile(path, contents)));
  await removeOthers(target, names);
  await Promise.all(folders.map((folder) => removeOthers(folder, namesIn(folder, files))));
  await stamp.write(files);
}

interface BuiltFile {
  readonly path: string;
  readonly contents: Uint8Array;
}

async function buildFiles(
  target: string,
  folders: readonly string[],
  entries: Readonly<Record<string, string>>,
  plugins: readonly Plugin[],
): Promise<BuiltFile[]> {
  const { outputFiles, metafile } = await compile(target, entries, [...plugins, stubPackageDynamicImports]);
  const secondFiles = await compile(target, dynamicImportEntries(metafile));
  const served = await servedFiles(metafile);
  // Otherwise the compiler's process of more than 100 MB stays alive.
  await stop();
  const commonJs = folders.map((folder) => ({ path: join(folder, 'package.json'), contents: commonJsMark }));
  return [...outputFiles, ...secondFiles.outputFiles, ...commonJs, ...served];
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

/** The files that are made now, in the folder of each function that serves them. */
async function servedFiles({ outputs }: Metafile): Promise<BuiltFile[]> {
  const serving = Object.entries(outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => builtFilesModule.test(path)),
  );
  if (serving.length === 0) return [];
  const files = await makeAllFiles();
  return serving.flatMap(([output]) =>
    files.map(({ name, contents }) => ({ path: resolve(dirname(output), name), contents })),
  );
}

/**
 * Leaves out modules that packages import with `import()`. No first file needs them. Without stubs, esbuild would wrap
 * every shared module for lazy loading, which costs a fifth of a cold start.
 */
const stubPackageDynamicImports: Plugin = {
  name: 'stub-package-dynamic-imports',
  setup: (compiler) => {
    compiler.onResolve({ filter: /^[^#./]/ }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' && !path.startsWith('node:') && importer.includes('node_modules')
        ? { path, namespace: 'left-out' }
        : undefined,
    );
    compiler.onLoad({ filter: /^/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of this function.`)});`,
    }));
  },
};
