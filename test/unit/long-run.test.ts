import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from '@jest/globals';

const folder = join(import.meta.dirname, '..');
const own = join('unit', 'long-run.test.ts');
const files = globSync('**/*.ts', { cwd: folder }).filter((file) => file !== own);
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
const importersOf = (name: string): string[] => files.filter((file) => textOf(file).includes(`/${name}';`));

it('the long run imports each fast file that tries more there, by itself or by a helper', () => {
  const asking = importersOf('long-run.ts');
  const helpers = asking.filter((file) => !file.endsWith('.test.ts'));
  const tests = [...asking, ...helpers.flatMap((file) => importersOf(basename(file)))];
  const fast = tests.filter((file) => /(?<!\.long)\.test\.ts$/.test(file));
  expect(fast.length).toBeGreaterThan(10);
  const missing = fast.filter((file) => {
    const long = file.replace('.test.ts', '.long.test.ts');
    return !existsSync(join(folder, long)) || !textOf(long).includes(`import './${basename(file)}';`);
  });
  expect(missing).toEqual([]);
});
