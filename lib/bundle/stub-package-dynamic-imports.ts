import type { Plugin } from 'esbuild';

/**
 * Leaves out modules that packages import with `import()`. No first file needs them. Without stubs, esbuild would wrap
 * every shared module for lazy loading, which costs a fifth of a cold start.
 */
export const stubPackageDynamicImports: Plugin = {
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
