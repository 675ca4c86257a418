import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin, stop } from 'esbuild';
import {
  fallbackFunction,
  findEndpoints,
  groupNames as functionGroups,
  functionNames,
  functionsFolder,
  gatewayRoutes,
  groupOf,
} from '#lib/endpoints.ts';
import { type BuiltFile, buildFolder, buildIfChanged } from './build-if-changed.ts';
import { builtGroup } from './built-files.ts';
import { groupNames } from './make-files.ts';

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
export const bundleFunctions = async (
  source = functionsFolder,
  target = join(buildFolder, 'functions'),
): Promise<Bundle[]> => bundle(source, target, await functionNames(source));

/** Bundles the functions of the setting `functions` `grouped`, and those that stay alone with uploads of any kind. */
export async function bundleGroups(target = join(buildFolder, 'groups')): Promise<Bundle[]> {
  const endpoints = await findEndpoints();
  const receiving = endpoints.filter(({ endpoint }) => endpoint.requestBodyMode === 'streamed').map(({ name }) => name);
  const alone = (await functionNames()).filter((name) => groupOf(name) === undefined || receiving.includes(name));
  const shared = new Map(functionGroups.map((group) => [group, sharedHandler(group, endpoints)]));
  return bundle(functionsFolder, target, [...functionGroups, ...alone], shared);
}

/** @param shared the modules of functions that have no folder of their own, by name */
async function bundle(
  source: string,
  target: string,
  names: readonly string[],
  shared: ReadonlyMap<string, string> = new Map(),
): Promise<Bundle[]> {
  const moduleOf = (name: string) => (shared.has(name) ? `group:${name}` : join(source, name, 'handler.ts'));
  const entries = Object.fromEntries(names.map((name) => [`${name}/index`, moduleOf(name)]));
  const plugins = [stubPackageDynamicImports, groupModules(shared)];
  await buildIfChanged(source, target, () => buildEntries(target, entries, names, plugins));
  return names.map((name) => {
    return { name, folder: join(target, name), file: join(target, name, 'index.js') };
  });
}

/** A module that handles each route of the gateway with the handler of its function. */
function sharedHandler(group: string, endpoints: Awaited<ReturnType<typeof findEndpoints>>): string {
  const members = endpoints.filter(({ name }) => groupOf(name) === group);
  const handled = members.map((member) => ({
    name: member.name,
    keys: gatewayRoutes(member).map(({ method, path }) => `${method} ${path}`),
  }));
  if (groupOf(fallbackFunction) === group) handled.push({ name: fallbackFunction, keys: ['$default'] });
  const imports = handled.map(
    ({ name }, index) =>
      `import { handler as h${index} } from ${JSON.stringify(join(functionsFolder, name, 'handler.ts'))};`,
  );
  const cases = handled.flatMap(({ keys }, index) => keys.map((key) => `${JSON.stringify(key)}: h${index}`));
  return `${imports.join('\n')}
const handlers = { ${cases.join(', ')} };
export const handler = (event, context) => handlers[event.routeKey](event, context);
`;
}

const groupModules = (contents: ReadonlyMap<string, string>): Plugin => ({
  name: 'group-modules',
  setup: (compiler) => {
    compiler.onResolve({ filter: /^group:/ }, ({ path }) => ({
      path: path.slice('group:'.length),
      namespace: 'group',
    }));
    compiler.onLoad({ filter: /^/, namespace: 'group' }, ({ path }) => ({
      contents: contents.get(path) ?? '',
      resolveDir: functionsFolder,
    }));
  },
});

async function buildEntries(
  target: string,
  entries: Readonly<Record<string, string>>,
  names: readonly string[],
  plugins: readonly Plugin[],
): Promise<BuiltFile[]> {
  const { outputFiles, metafile } = await compile(target, entries, plugins);
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

/** The module that makes the files that a function serves. */
const builtFilesModule = /(?:^|[\\/])lib[\\/]bundle[\\/]built-files\.ts$/;

/** Reads the files beside the function, each once. Unknown names are not kept. */
const readBuiltFile = `
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
const read = new Map();
export async function builtFile(name) {
  const content = read.get(name) ?? (await readFile(join(__dirname, name)).catch(() => undefined));
  if (content) read.set(name, content);
  return content;
}
`;

/** Replaces the module in bundles, so that no function makes files. */
const readBuiltFiles: Plugin = {
  name: 'read-built-files',
  setup: (compiler) => compiler.onLoad({ filter: builtFilesModule }, () => ({ loader: 'js', contents: readBuiltFile })),
};

const ownModules = '#lib/';
const ownFolder = fileURLToPath(new URL('..', import.meta.url));

/** Moves modules that our own code imports with `import()` into second files beside the function's first file. */
const splitDynamicImports: Plugin = {
  name: 'split-dynamic-imports',
  setup: (compiler) =>
    compiler.onResolve({ filter: new RegExp(`^${ownModules}`) }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: secondFileOf(path), external: true } : undefined,
    ),
};

/** `#lib/patterns/compile.ts` is `./patterns+compile.js`. */
const secondFileOf = (path: string): string =>
  `./${path.slice(ownModules.length, -'.ts'.length).replaceAll('/', '+')}.js`;

/** The entry points of the second files that the first files import. */
function dynamicImportEntries({ outputs }: Metafile): Record<string, string> {
  const entries = Object.entries(outputs).flatMap(([output, { imports }]) =>
    imports
      .filter(({ path, external }) => external && path.startsWith('./'))
      .map(({ path }) => {
        const name = basename(path, '.js');
        return [`${basename(dirname(output))}/${name}`, join(ownFolder, `${name.replaceAll('+', '/')}.ts`)];
      }),
  );
  return Object.fromEntries(entries);
}

/** Modules that packages import, and the shim that replaces each in bundles. */
const shims = [
  [/^@aws-sdk\/credential-provider-node$/, 'credentials.ts'],
  [/\/shared-ini-file-loader\/loadSharedConfigFiles$/, 'config-files.ts'],
  [/\/(?:stream-type-check|createChecksumStream\.browser)$/, 'web-streams.ts'],
  [/^node:stream\/web$/, 'web-streams.ts'],
] as const;

/** Replaces code of packages that Lambda never needs and that every cold start would load. */
const lambdaShims: Plugin = {
  name: 'lambda-shims',
  setup: (compiler) => {
    for (const [filter, file] of shims) {
      const path = fileURLToPath(new URL(`shims/${file}`, import.meta.url));
      compiler.onResolve({ filter }, ({ importer }) => (importer.includes('node_modules') ? { path } : undefined));
    }
  },
};

/**
 * Compiles each entry module with its imports into one file, in memory.
 * @param outdir the folder that the paths of the output name
 * @param entryPoints entry modules by output path without extension
 */
const compile = (
  outdir: string,
  entryPoints: Readonly<Record<string, string>>,
  plugins: readonly Plugin[] = [],
): Promise<{ readonly outputFiles: readonly OutputFile[]; readonly metafile: Metafile }> =>
  build({ ...settings, outdir, entryPoints: { ...entryPoints }, plugins: [...plugins, ...settings.plugins] });

const settings = {
  write: false,
  metafile: true,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
  plugins: [splitDynamicImports, readBuiltFiles, lambdaShims],
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;
