import { dirname, join, resolve } from 'node:path';
import { type Metafile, type Plugin, stop } from 'esbuild';
import { functionNames, functionsFolder } from '#lib/endpoints.ts';
import { type BuiltFile, buildFolder, buildIfChanged } from './build-if-changed.ts';
import { builtGroup } from './built-files.ts';
import { compile } from './compile.ts';
import { groupNames } from './make-files.ts';
import { builtFilesModule } from './read-built-files.ts';
import { dynamicImportEntries } from './split-dynamic-imports.ts';

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
  await buildIfChanged(source, target, () => buildFiles(source, target, names));
  return names.map((name) => ({ name, folder: join(target, name), file: join(target, name, 'index.js') }));
}

async function buildFiles(source: string, target: string, names: readonly string[]): Promise<BuiltFile[]> {
  const entries = Object.fromEntries(names.map((name) => [`${name}/index`, join(source, name, 'handler.ts')]));
  const { outputFiles, metafile } = await compile(target, entries, [stubPackageDynamicImports]);
  const secondFiles = await compile(target, dynamicImportEntries(metafile));
  const served = await servedFiles(metafile);
  // Otherwise the compiler's process of more than 100 MB stays alive.
  await stop();
  const commonJs = names.map((name) => ({ path: join(target, name, 'package.json'), contents: commonJsMark }));
  return [...outputFiles, ...secondFiles.outputFiles, ...commonJs, ...served];
}

/** The project has `"type": "module"`; the bundles are CommonJS. */
const commonJsMark = new TextEncoder().encode('{ "type": "commonjs" }\n');

/** The files that are made with the bundles, in the folder of each function that serves them. */
async function servedFiles({ outputs }: Metafile): Promise<BuiltFile[]> {
  const serving = Object.entries(outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => builtFilesModule.test(path)),
  );
  if (serving.length === 0) return [];
  const files = (await Promise.all(groupNames.map(builtGroup))).flatMap((group) => [...group]);
  return serving.flatMap(([output]) =>
    files.map(([name, contents]) => ({ path: resolve(dirname(output), name), contents })),
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
