import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';

/** The texts of libraries whose packages name their licence without its text. */
const publicDomain = `This is free and unencumbered software released into the public domain.

Anyone is free to copy, modify, publish, use, compile, sell, or distribute this software, either in source code form or
as a compiled binary, for any purpose, commercial or non-commercial, and by any means.

In jurisdictions that recognize copyright laws, the author or authors of this software dedicate any and all copyright
interest in the software to the public domain. We make this dedication for the benefit of the public at large and to the
detriment of our heirs and successors. We intend this dedication to be an overt act of relinquishment in perpetuity of
all present and future rights to this software under copyright law.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

For more information, please refer to <https://unlicense.org>`;

/** The folders of the libraries whose code is in the outputs of a build. */
export function librariesIn({ outputs }: Pick<Metafile, 'outputs'>): string[] {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = used.map((path) =>
    /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(`/${path}`)?.[0].slice(1),
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/**
 * The licences of the libraries that a build hands out.
 * @param folder the one that the paths of the build start from
 * @throws when a library has no licence text
 */
export async function noticesOf(build: Pick<Metafile, 'outputs'>, folder: string): Promise<string> {
  const libraries = await Promise.all(librariesIn(build).map((library) => noticeOf(join(folder, library))));
  const intro = 'This page is made with these libraries. Their authors allow it under these licences.';
  return [intro, ...libraries].join(`\n\n${'-'.repeat(80)}\n\n`);
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) =>
    /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(basename(file)),
  );
  const texts = await Promise.all(
    files.sort().map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()),
  );
  if (texts.length === 0 && license === 'Unlicense') texts.push(publicDomain);
  if (!texts.some((text) => text.length > 200)) throw new Error(`The library ${name} has no licence text.`);
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}
