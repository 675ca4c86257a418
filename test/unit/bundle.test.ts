import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BuildStamp } from '#lib/bundle/build-stamp.ts';
import { bundleFunctions, bundleTogether } from '#lib/bundle/bundle-functions.ts';

let folder: string;
let source: string;
let target: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  source = join(folder, 'functions');
  target = join(folder, 'build/functions');
  await declare('tea', 'green');
  await declare('rice', 'white');
  await bundle();
});

afterEach(() => rm(folder, { recursive: true }));

async function declare(name: string, word: string): Promise<void> {
  await mkdir(join(source, name), { recursive: true });
  await writeFile(join(source, name, 'handler.ts'), `export const handler = async (): Promise<string> => '${word}';`);
}

const bundle = () => bundleFunctions(source, target);
const isValid = async () => (await BuildStamp.of(source, target)).isValid();
const textOf = (name: string) => readFile(join(target, name, 'index.js'), 'utf8');

describe('repeated requests for bundles', () => {
  it('serve again while nothing has changed', async () => {
    expect(await isValid()).toBe(true);
    const again = await bundle();
    expect(again.map(({ name, file }) => [name, file])).toEqual([
      ['rice', join(target, 'rice/index.js')],
      ['tea', join(target, 'tea/index.js')],
    ]);
    expect(await textOf('tea')).toContain('green');
    expect(await isValid()).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['changed', () => declare('tea', 'black')],
    ['new', () => declare('cake', 'sweet')],
    ['gone', () => rm(join(source, 'rice'), { recursive: true })],
  ])('are made again when a source is %s', async (_, change) => {
    await change();
    expect(await isValid()).toBe(false);
    const names = (await bundle()).map(({ name }) => name);
    expect(await readdir(target)).toEqual(names);
    expect(names).toEqual((await readdir(source)).sort());
    expect(await isValid()).toBe(true);
  });

  it('contain the changed source, even if its size is the same', async () => {
    await declare('tea', 'black');
    await bundle();
    expect(await textOf('tea')).toContain('black');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['another content', () => writeFile(join(target, 'tea/index.js'), 'module.exports = {}')],
    ['one file less', () => rm(join(target, 'tea/index.js'))],
    ['one file more', () => writeFile(join(target, 'tea/more.js'), '')],
    ['nothing left', () => rm(target, { recursive: true })],
  ])('are made again when their folder has %s', async (_, change) => {
    const before = await textOf('tea');
    await change();
    expect(await isValid()).toBe(false);
    await bundle();
    expect(await textOf('tea')).toBe(before);
    expect((await readdir(join(target, 'tea'))).sort()).toEqual(['index.js', 'package.json']);
  });

  it('are not taken for those of sources that changed while they were made', async () => {
    const old = await BuildStamp.of(source, target);
    await declare('tea', 'black');
    await old.write([{ path: join(target, 'tea/index.js'), contents: await readFile(join(target, 'tea/index.js')) }]);
    expect(await isValid()).toBe(false);
  });
});

describe('one module of all functions', () => {
  const together = async () => import(await bundleTogether(source, join(folder, 'build/together')));

  it('exports each function under its name', async () => {
    await declare('date-cake', 'sweet');
    const functions = await together();
    const words = ['tea', 'rice', 'date-cake'].map((name) => functions[name].handler());
    expect(await Promise.all(words)).toEqual(['green', 'white', 'sweet']);
  });

  it('is made again when a function is new', async () => {
    const file = await bundleTogether(source, join(folder, 'build/together'));
    const before = await readFile(file, 'utf8');
    await declare('date-cake', 'sweet');
    await bundleTogether(source, join(folder, 'build/together'));
    expect([before.includes('sweet'), (await readFile(file, 'utf8')).includes('sweet')]).toEqual([false, true]);
  });

  it('holds a module that two functions share only once', async () => {
    await writeFile(join(folder, 'count.ts'), 'let calls = 0;\nexport const count = (): number => ++calls;');
    for (const name of ['tea', 'rice']) {
      await writeFile(join(source, name, 'handler.ts'), "export { count as handler } from '../../count.ts';");
    }
    const { tea, rice } = await together();
    expect([tea.handler(), rice.handler()]).toEqual([1, 2]);
  });
});
