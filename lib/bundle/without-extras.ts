import type { Plugin } from 'esbuild';

/**
 * What packages import with `import()` is nothing that a first file needs, and would have all that it shares with the
 * rest wrapped up to be loaded later, which costs a fifth of a cold start.
 */
export const withoutExtras: Plugin = {
  name: 'without-extras',
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
