import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildIfChanged, readFiles } from '#lib/bundle/build-if-changed.ts';
import { bundleFunctions } from '#lib/bundle/bundle-functions.ts';

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
const isValid = () =>
  buildIfChanged(source, target, () => Promise.reject(new Error('The files are not of these sources.'))).then(
    () => true,
    () => false,
  );
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
    await declare('tea', 'white');
    await buildIfChanged(source, target, async () => {
      await declare('tea', 'black');
      return readFiles(target);
    });
    expect(await isValid()).toBe(false);
  });
});
