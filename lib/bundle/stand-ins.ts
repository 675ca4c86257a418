import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

/** Modules as packages import them, and what bundles have in their place. */
const standIns = [
  [/^@aws-sdk\/credential-provider-node$/, 'credentials.ts'],
  [/\/shared-ini-file-loader\/loadSharedConfigFiles$/, 'config-files.ts'],
  [/\/(?:stream-type-check|createChecksumStream\.browser)$/, 'web-streams.ts'],
  [/^node:stream\/web$/, 'web-streams.ts'],
] as const;

/** Replaces what packages bring for other places than Lambda, and what every cold start would pay for. */
export const withStandIns: Plugin = {
  name: 'with-stand-ins',
  setup: (compiler) => {
    for (const [filter, file] of standIns) {
      const path = fileURLToPath(new URL(`stand-ins/${file}`, import.meta.url));
      compiler.onResolve({ filter }, ({ importer }) => (importer.includes('node_modules') ? { path } : undefined));
    }
  },
};
