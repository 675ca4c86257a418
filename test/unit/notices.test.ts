import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { stop } from 'esbuild';
import { librariesIn, noticesOf } from '#lib/bundle/notices.ts';
import { buildConsole } from '#lib/console/build-console.ts';

const folder = mkdtempSync(join(tmpdir(), 'notices-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stop();
});

/** A build whose output has these files, with their sizes in it. */
const build = (inputs: Readonly<Record<string, number>>): Pick<Metafile, 'outputs'> => ({
  outputs: {
    'main.js': {
      bytes: 9,
      imports: [],
      exports: [],
      inputs: Object.fromEntries(Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }])),
    },
  },
});

const licence = `Copyright (c) A. Person. ${'Permission is hereby granted. '.repeat(10)}`;

function install(path: string, license: string, files: Readonly<Record<string, string>>): void {
  const library = join(folder, 'node_modules', path);
  mkdirSync(library, { recursive: true });
  const name = path.replace(/^.*node_modules\//, '');
  const all = { 'package.json': JSON.stringify({ name, version: '1.2.3', license }), ...files };
  for (const [file, text] of Object.entries(all)) writeFileSync(join(library, file), text);
}

describe('the notices of a build', () => {
  it('have every library whose code is in it, once, with name, version, licence and notice', async () => {
    install('one', 'MIT', { LICENSE: `one: ${licence}` });
    install('@scope/two', 'BSD-3-Clause', { 'licence.md': `two: ${licence}`, 'NOTICE.txt': 'two: made by people' });
    install('one/node_modules/three', 'ISC', { COPYING: `three: ${licence}` });
    install('four', 'Unlicense', {});
    install('unused', 'MIT', {});
    const files = {
      'node_modules/one/index.js': 5,
      'node_modules/one/lib/more.js': 5,
      '../x/node_modules/@scope/two/a/b.js': 1,
      'node_modules/one/node_modules/three/index.js': 1,
      'node_modules/four/index.js': 1,
      'node_modules/unused/index.js': 0,
      'src/node_modules.ts': 7,
    };
    expect(librariesIn(build(files))).toEqual([
      '../x/node_modules/@scope/two',
      'node_modules/four',
      'node_modules/one',
      'node_modules/one/node_modules/three',
    ]);
    mkdirSync(join(folder, 'app'));
    const notices = await noticesOf(
      build(
        Object.fromEntries(Object.entries(files).map(([path, size]) => [join('..', path.replace('../x/', '')), size])),
      ),
      join(folder, 'app'),
    );
    for (const text of [
      'one 1.2.3 (MIT)',
      '@scope/two 1.2.3 (BSD-3-Clause)',
      'three 1.2.3 (ISC)',
      'four 1.2.3 (Unlicense)',
    ])
      expect(notices.split(text)).toHaveLength(2);
    for (const text of ['one: Copyright', 'two: Copyright', 'two: made by people', 'three: Copyright', 'public domain'])
      expect(notices).toContain(text);
    expect(notices).not.toContain('unused');
  });

  it.each<[string, string, Record<string, string>]>([
    ['has no licence text', 'MIT', { 'README.md': licence }],
    ['has an empty one', 'MIT', { LICENSE: ' ' }],
    ['has a notice alone', 'Apache-2.0', { NOTICE: 'made by people' }],
    ['names a file that is missing', 'SEE LICENSE IN LICENSE.txt', {}],
  ])('fail for a library that %s', async (title, license, files) => {
    const name = title.replaceAll(' ', '-');
    install(name, license, files);
    const made = noticesOf(build({ [`node_modules/${name}/index.js`]: 1 }), folder);
    await expect(made).rejects.toThrow(`The library ${name} has no licence text.`);
  });

  it('of the console name each library that the compiler put into it', async () => {
    const { files, metafile } = await buildConsole();
    const notices = Buffer.from(files.find(({ name }) => name === 'notices.txt')?.contents ?? []).toString();
    const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
    const libraries = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
    expect(new Set(libraries).size).toBeGreaterThan(10);
    for (const name of new Set(libraries)) expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });
});
