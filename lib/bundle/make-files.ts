/** A file that is made at build time and served as it is. Its name begins with its group. */
export interface MadeFile {
  readonly name: string;
  readonly contents: Uint8Array;
}

const named = (group: string, files: readonly MadeFile[]): MadeFile[] =>
  files.map(({ name, contents }) => ({ name: `${group}+${name}`, contents }));

const written = (name: string, text: string): MadeFile[] => [{ name, contents: new TextEncoder().encode(text) }];

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

/** Makes the files of one group: the console, the reference page, the description of the API, or the chat widget. */
export const makeFiles = async (group: string): Promise<MadeFile[]> => (await groups[group]?.()) ?? [];

/** Makes the files of all groups. */
export const makeAllFiles = async (): Promise<MadeFile[]> =>
  (await Promise.all(Object.keys(groups).map(makeFiles))).flat();
