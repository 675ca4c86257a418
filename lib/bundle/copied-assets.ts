import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { copiedFiles } from '#lib/reference/copied-files.ts';
import { assetFolderModule } from './inline-build-time-modules.ts';

/** The static files that are copied into the folders of the functions that serve them. */
export async function copiedAssets({ outputs }: Metafile) {
  const served = Object.entries(outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => assetFolderModule.test(path)),
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
