import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';

const ownModules = '#lib/';
const ownFolder = fileURLToPath(new URL('..', import.meta.url));

/** Leaves what our own code imports with `import()` to a file beside the function's; packages do it for themselves. */
export const onDemand: Plugin = {
  name: 'on-demand',
  setup: (compiler) =>
    compiler.onResolve({ filter: new RegExp(`^${ownModules}`) }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: fileOnDemand(path), external: true } : undefined,
    ),
};

/** `#lib/patterns/compile.ts` is `./patterns+compile.js`. */
const fileOnDemand = (path: string): string =>
  `./${path.slice(ownModules.length, -'.ts'.length).replaceAll('/', '+')}.js`;

/** The second files that the first ones ask for. */
export function entriesOnDemand({ outputs }: Metafile): Record<string, string> {
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
