import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

/** Modules that packages import, and the shim that replaces each in bundles. */
const shims = [
  [/^@aws-sdk\/credential-provider-node$/, 'credentials.ts'],
  [/\/shared-ini-file-loader\/loadSharedConfigFiles$/, 'config-files.ts'],
  [/\/(?:stream-type-check|createChecksumStream\.browser)$/, 'web-streams.ts'],
  [/^node:stream\/web$/, 'web-streams.ts'],
] as const;

/** Replaces code of packages that Lambda never needs and that every cold start would load. */
export const lambdaShims: Plugin = {
  name: 'lambda-shims',
  setup: (compiler) => {
    for (const [filter, file] of shims) {
      const path = fileURLToPath(new URL(`shims/${file}`, import.meta.url));
      compiler.onResolve({ filter }, ({ importer }) => (importer.includes('node_modules') ? { path } : undefined));
    }
  },
};
