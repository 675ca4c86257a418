import type { Plugin } from 'esbuild';

/** The module that makes the files that a function serves. */
export const builtFilesModule = /(?:^|[\\/])lib[\\/]bundle[\\/]built-files\.ts$/;

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
export const readBuiltFiles: Plugin = {
  name: 'read-built-files',
  setup: (compiler) => compiler.onLoad({ filter: builtFilesModule }, () => ({ loader: 'js', contents: readBuiltFile })),
};
