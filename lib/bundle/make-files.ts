import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { functionsFolder } from '#lib/endpoints.ts';
import { buildFolder, buildIfChanged } from './build-if-changed.ts';

/** A file that is made at build time and served as it is. Its name begins with its group. */
interface MadeFile {
  readonly name: string;
  readonly contents: Uint8Array;
}

const written = (name: string, text: string): MadeFile[] => [{ name, contents: new TextEncoder().encode(text) }];

const named = (group: string, files: readonly MadeFile[]): MadeFile[] =>
  files.map(({ name, contents }) => ({ name: `${group}+${name}`, contents }));

/** The console, the reference page, the description of the API, and the chat widget. */
const groups: Readonly<Record<string, () => Promise<MadeFile[]>>> = {
  console: async () => {
    const { buildConsole } = await import('#lib/console/build-console.ts');
    return named('console', (await buildConsole()).files);
  },
  docs: async () => {
    const { makeReferenceFiles } = await import('#lib/reference/make-files.ts');
    return named('docs', await makeReferenceFiles());
  },
  openapi: async () => {
    const { openApiDocument } = await import('#lib/openapi/document.ts');
    return written('openapi.json', JSON.stringify(await openApiDocument()));
  },
  widget: async () => {
    const { buildWidget } = await import('#lib/widget/build-widget.ts');
    return written('widget.js', await buildWidget());
  },
};

export const groupNames: readonly string[] = Object.keys(groups);

/** Makes the files of a group, unless those of the same sources are in its folder. @returns the folder */
async function makeGroup(group: string): Promise<string> {
  const folder = join(buildFolder, 'files', group);
  await buildIfChanged(functionsFolder, folder, async () => {
    const files = (await groups[group]?.()) ?? [];
    return files.map(({ name, contents }) => ({ path: join(folder, name), contents }));
  });
  return folder;
}

if (import.meta.main) {
  enableCompileCache(join(buildFolder, 'start-cache'));
  const [group = ''] = process.argv.slice(2);
  process.stdout.write(await makeGroup(group));
}
