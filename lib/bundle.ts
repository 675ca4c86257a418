import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { functionNames, functionsFolder } from './endpoints.ts';

const bundleFolder = fileURLToPath(new URL('../.build/functions', import.meta.url));

export interface Bundle {
  /** The function's name. */
  readonly name: string;
  /** What a Lambda is made of; its handler is `index.handler`. */
  readonly folder: string;
  readonly file: string;
}

/**
 * Bundles every function in one pass, sorted by name. The files are the same for deployment, the local run and tests:
 * CommonJS with the SDK inside, because that starts in half the time of ES modules.
 */
export async function bundleFunctions(source = functionsFolder, target = bundleFolder): Promise<Bundle[]> {
  const names = await functionNames(source);
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(names.map((name) => [`${name}/index`, join(source, name, 'handler.ts')])),
    outdir: target,
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    logLevel: 'silent',
  });
  // The compiler stays behind as a process of more than 100 MB otherwise.
  await stop();
  const bundles = names.map((name) => ({ name, folder: join(target, name), file: join(target, name, 'index.js') }));
  const commonJs = bundles.map(({ folder }) => ({ path: join(folder, 'package.json'), contents: commonJsMark }));
  await Promise.all([...outputFiles, ...commonJs].map(({ path, contents }) => replaceFile(path, contents)));
  await removeOthers(target, names);
  return bundles;
}

/** The project is of type module, the bundles are not. */
const commonJsMark = new TextEncoder().encode('{ "type": "commonjs" }\n');

/** Whoever reads a bundle while it is made again, such as a second run, sees the old file or the new one. */
async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(contents)) return;
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // Not in the function's own folder, all of which is deployed.
  const unfinished = join(folder, '../..', `unfinished-${randomUUID()}`);
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

async function removeOthers(target: string, names: readonly string[]): Promise<void> {
  const present = await readdir(target).catch(() => []);
  const stale = present.filter((name) => !names.includes(name));
  await Promise.all(stale.map((name) => rm(join(target, name), { recursive: true, force: true })));
}
