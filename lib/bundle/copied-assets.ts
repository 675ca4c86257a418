import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { copiedFiles } from '#lib/reference/copied-files.ts';
import { assetFolderModule, consoleFilesModule } from './inline-build-time-modules.ts';

/** A static file of a function. */
interface Asset {
  readonly name: string;
  readonly contents: Uint8Array;
}

/** The static files that are put into the folders of the functions that serve them. */
export async function copiedAssets({ outputs }: Metafile) {
  const kinds = [
    { servedBy: assetFolderModule, read: referenceAssets },
    { servedBy: consoleFilesModule, read: consoleAssets },
  ];
  const found = kinds.map(async ({ servedBy, read }) => {
    const served = Object.entries(outputs).filter(([, { inputs }]) =>
      Object.keys(inputs).some((path) => servedBy.test(path)),
    );
    const assets = served.length === 0 ? [] : await read();
    return served.flatMap(([output]) =>
      assets.map(({ name, contents }) => ({ path: resolve(dirname(output), name), contents })),
    );
  });
  return (await Promise.all(found)).flat();
}

async function referenceAssets(): Promise<readonly Asset[]> {
  const { filesFolder } = await import('#lib/reference/files-folder.ts');
  return Promise.all(
    copiedFiles.map(async (name) => ({ name, contents: new Uint8Array(await readFile(join(filesFolder, name))) })),
  );
}

async function consoleAssets(): Promise<readonly Asset[]> {
  const { buildConsole } = await import('#lib/console/build-console.ts');
  return (await buildConsole()).files;
}
