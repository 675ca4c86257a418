let built: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

/**
 * The content of a file of the console, built for the first request. In bundles, other code replaces this module: it
 * reads the files that were built with the bundle.
 */
export async function builtFile(name: string): Promise<Uint8Array | undefined> {
  built ??= build();
  return (await built).get(name);
}

async function build(): Promise<ReadonlyMap<string, Uint8Array>> {
  const [{ buildConsole }, { stop }] = await Promise.all([import('./build-console.ts'), import('esbuild')]);
  const { files } = await buildConsole();
  // Otherwise the compiler's process stays alive.
  await stop();
  return new Map(files.map((file) => [file.name, file.contents]));
}
