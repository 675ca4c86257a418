import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

// The files of this folder with properties, again. Here `runs` checks each property in full.
const folder = import.meta.dirname;
for (const name of (await readdir(folder)).toSorted()) {
  if (!name.endsWith('.test.ts') || name.endsWith('.long.test.ts')) continue;
  const file = join(folder, name);
  if ((await readFile(file, 'utf8')).includes('runs(')) await import(file);
}
