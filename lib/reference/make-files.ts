import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startScript, styleSheet } from './page-assets.ts';

/** The licence of Swagger UI, and those of the libraries in it. They must be distributed with it. */
const notices = ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'] as const;

const copied = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', ...notices] as const;

/** Makes the files of the reference page: those of Swagger UI, and our own. */
export async function makeReferenceFiles() {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const copies = copied.map(async (name) => ({ name, contents: await readFile(join(folder, name)) }));
  const texts = await Promise.all(notices.map((name) => readFile(join(folder, name), 'utf8')));
  const own = {
    'start.js': startScript,
    'page.css': styleSheet,
    'notices.txt': texts.join(`\n${'-'.repeat(80)}\n\n`),
  };
  const written = Object.entries(own).map(([name, text]) => ({ name, contents: new TextEncoder().encode(text) }));
  return [...(await Promise.all(copies)), ...written];
}
