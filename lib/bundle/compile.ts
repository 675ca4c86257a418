import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { inlineBuildTimeModules } from './inline-build-time-modules.ts';
import { lambdaShims } from './lambda-shims.ts';
import { splitDynamicImports } from './split-dynamic-imports.ts';

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
  entryPoints: Record<string, string>,
  plugins: readonly Plugin[] = [],
): Promise<Compiled> => build({ ...settings, outdir, entryPoints, plugins: [...plugins, ...settings.plugins] });

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
  plugins: [splitDynamicImports, inlineBuildTimeModules, lambdaShims],
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;
