import type { Plugin } from 'esbuild';

const documentModule = /(?:^|[\\/])lib[\\/]openapi[\\/]served-document\.ts$/;

/** The module that says where the files lie that a function serves. */
export const folderModule = /(?:^|[\\/])lib[\\/]reference[\\/]files-folder\.ts$/;

/** Puts into functions what is made when they are bundled, in the place of the modules that make it. */
export const madeBefore: Plugin = {
  name: 'made-before',
  setup: (compiler) => {
    compiler.onLoad({ filter: documentModule }, async ({ path }) => {
      const { documentText } = await import(path);
      return { loader: 'js', contents: `export const documentText = ${JSON.stringify(documentText)};` };
    });
    compiler.onLoad({ filter: folderModule }, () => ({
      loader: 'js',
      contents: 'export const filesFolder = __dirname;',
    }));
  },
};
