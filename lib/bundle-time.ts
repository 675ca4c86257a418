import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { copiedFiles } from './reference/copied-files.ts';

const documentModule = /(?:^|[\\/])lib[\\/]openapi[\\/]served-document\.ts$/;
const folderModule = /(?:^|[\\/])lib[\\/]reference[\\/]files-folder\.ts$/;

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

/** The files that lie beside the bundles which serve them. */
export async function filesBeside({ outputs }: Metafile) {
  const served = Object.entries(outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => folderModule.test(path)),
  );
  if (served.length === 0) return [];
  const { filesFolder } = await import('./reference/files-folder.ts');
  return Promise.all(
    served.flatMap(([output]) =>
      copiedFiles.map(async (name) => ({
        path: resolve(dirname(output), name),
        contents: new Uint8Array(await readFile(join(filesFolder, name))),
      })),
    ),
  );
}
