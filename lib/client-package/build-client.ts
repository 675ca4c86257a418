import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { openApiDocument } from '#lib/openapi/document.ts';
import { clientTypes } from './client-types.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const source = join(project, 'lib/client');
/** The modules whose exports are public. */
const modules = ['client', 'api-error', 'reply-events', 'transport', 'types', 'filter', 'own-types', 'verify-webhook'];
const entry = (extension: string) => modules.map((name) => `export * from './${name}.${extension}';\n`).join('');

/**
 * Builds a package of the client alone: plain JavaScript with declarations, because Node does not strip types from
 * installed packages. The package has no dependencies.
 * @param folder the output folder, emptied first
 */
export async function buildClient(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await build({
    stdin: { contents: entry('ts'), resolveDir: source, loader: 'ts' },
    outfile: join(folder, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2024',
    logLevel: 'silent',
  });
  await declare(folder);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(), undefined, 2)}\n`);
}

async function declare(folder: string): Promise<void> {
  const emitted = join(folder, 'emitted');
  const settings = {
    extends: join(project, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: project,
      outDir: emitted,
      typeRoots: [join(project, 'node_modules/@types')],
    },
    include: [],
    files: modules.map((name) => join(source, `${name}.ts`)),
  };
  const settingsFile = join(folder, 'tsconfig.json');
  await writeFile(settingsFile, JSON.stringify(settings));
  await promisify(execFile)(join(project, 'node_modules/.bin/tsc'), ['-p', settingsFile], { cwd: project });
  const declarations = join(emitted, 'lib/client');
  for (const file of await readdir(declarations)) {
    const text = await readFile(join(declarations, file), 'utf8');
    await writeFile(join(folder, file), text.replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.js'"));
  }
  await writeFile(join(folder, 'types.d.ts'), clientTypes(await openApiDocument()));
  await writeFile(join(folder, 'index.d.ts'), entry('js'));
  await Promise.all([emitted, settingsFile].map((path) => rm(path, { recursive: true })));
}

async function manifest() {
  const { version, license } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  return {
    name: 'workspace-api-client',
    version,
    description: 'Calls a Workspace API from TypeScript or JavaScript.',
    license,
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    sideEffects: false,
    engines: { node: '>=20' },
  };
}
