import type { Plugin } from 'esbuild';

const documentModule = /(?:^|[\\/])lib[\\/]openapi[\\/]served-document\.ts$/;
const widgetModule = /(?:^|[\\/])lib[\\/]widget[\\/]served-widget\.ts$/;

/** The module that names the folder of a function's static files. */
export const assetFolderModule = /(?:^|[\\/])lib[\\/]reference[\\/]files-folder\.ts$/;

/** The module that answers the files of the console. */
export const consoleFilesModule = /(?:^|[\\/])lib[\\/]console[\\/]built-files\.ts$/;

const readBuiltFile = `
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
export const builtFile = (name) => readFile(join(__dirname, name)).catch(() => undefined);
`;

/** Replaces modules that compute a value at build time with that value. */
export const inlineBuildTimeModules: Plugin = {
  name: 'inline-build-time-modules',
  setup: (compiler) => {
    compiler.onLoad({ filter: documentModule }, async ({ path }) => {
      const { documentText } = await import(path);
      return { loader: 'js', contents: `export const documentText = ${JSON.stringify(documentText)};` };
    });
    compiler.onLoad({ filter: widgetModule }, async ({ path }) => {
      const { widgetText } = await import(path);
      return { loader: 'js', contents: `export const widgetText = ${JSON.stringify(widgetText)};` };
    });
    compiler.onLoad({ filter: assetFolderModule }, () => ({
      loader: 'js',
      contents: 'export const filesFolder = __dirname;',
    }));
    compiler.onLoad({ filter: consoleFilesModule }, () => ({ loader: 'js', contents: readBuiltFile }));
  },
};
