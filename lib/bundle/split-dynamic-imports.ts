import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';

const ownModules = '#lib/';
const ownFolder = fileURLToPath(new URL('..', import.meta.url));

/** Moves modules that our own code imports with `import()` into second files beside the function's first file. */
export const splitDynamicImports: Plugin = {
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
export function dynamicImportEntries({ outputs }: Metafile): Record<string, string> {
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
