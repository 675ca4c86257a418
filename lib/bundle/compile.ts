import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { madeBefore } from './made-before.ts';
import { onDemand } from './on-demand.ts';
import { withStandIns } from './stand-ins.ts';

export interface Compiled {
  readonly outputFiles: readonly OutputFile[];
  readonly metafile: Metafile;
}

/**
 * Compiles modules with all that they import into a file each, in memory.
 * @param outdir where the files will lie
 * @param entryPoints the modules by the names of their files, which lack the extension
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
  plugins: [onDemand, madeBefore, withStandIns],
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;
