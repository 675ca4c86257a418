import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { readBuiltFiles } from './read-built-files.ts';
import { splitDynamicImports } from './split-dynamic-imports.ts';

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

export interface Compiled {
  readonly outputFiles: readonly OutputFile[];
  readonly metafile: Metafile;
}

/**
 * Compiles each entry module with its imports into one file, in memory.
 * @param outdir the folder that the paths of the output name
 * @param entryPoints entry modules by output path without extension
 */
export const compile = (
  outdir: string,
  entryPoints: Readonly<Record<string, string>>,
  plugins: readonly Plugin[] = [],
): Promise<Compiled> =>
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
