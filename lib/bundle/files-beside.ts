import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { copiedFiles } from '#lib/reference/copied-files.ts';
import { folderModule } from './made-before.ts';

/** The files that lie beside the bundles which serve them. */
export async function filesBeside({ outputs }: Metafile) {
  const served = Object.entries(outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => folderModule.test(path)),
  );
  if (served.length === 0) return [];
  const { filesFolder } = await import('#lib/reference/files-folder.ts');
  return Promise.all(
    served.flatMap(([output]) =>
      copiedFiles.map(async (name) => ({
        path: resolve(dirname(output), name),
        contents: new Uint8Array(await readFile(join(filesFolder, name))),
      })),
    ),
  );
}
