type Files = ReadonlyMap<string, Uint8Array>;

const made = new Map<string, Promise<Files>>();
let last: Promise<unknown> = Promise.resolve();

/**
 * The content of a file that is made with the bundles: `console+main-1A2B3C4D.js`, `openapi.json`. In bundles, other code
 * replaces this module: it reads the file beside the function. Here the files of its group are made at its first use.
 */
export async function builtFile(name: string): Promise<Uint8Array | undefined> {
  const [group = ''] = name.split(/[+.]/, 1);
  if (!made.has(group)) {
    const making = last.then(() => make(group));
    made.set(group, making);
    last = making;
  }
  return (await made.get(group))?.get(name);
}

/** One group at a time, because each stops the compiler. */
async function make(group: string): Promise<Files> {
  const [{ makeFiles }, { stop }] = await Promise.all([import('./make-files.ts'), import('esbuild')]);
  const files = await makeFiles(group);
  // Otherwise the compiler's process stays alive.
  await stop();
  return new Map(files.map(({ name, contents }) => [name, contents]));
}
