import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { buildConsole } from '#lib/console/build-console.ts';

const kilobyte = 1_024;
const { files, metafile } = await buildConsole();
await stop();
const gzipped = new Map(files.map(({ name, contents }) => [name, gzipSync(contents).length]));

/** Every output by its name, with its static and dynamic imports. */
const outputs = new Map(
  Object.entries(metafile.outputs).map(([path, { imports, entryPoint }]) => [
    nameOf(path),
    { entryPoint, imports: imports.filter(({ external }) => !external) },
  ]),
);

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A script with all its static imports. */
function staticImportsOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path, kind } of outputs.get(name)?.imports ?? []) {
    if (kind === 'import-statement') staticImportsOf(nameOf(path), found);
  }
  return found;
}

const entry = (source: string): string => {
  const found = [...outputs].find(([, { entryPoint }]) => entryPoint?.endsWith(source));
  if (!found) throw new Error(`Nothing was built of ${source}.`);
  return found[0];
};

const weightOf = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + (gzipped.get(name) ?? 0), 0) / kilobyte;

const page = ['console.html', ...files.map(({ name }) => name).filter((name) => name.endsWith('.css'))];
const first = new Set([
  ...page,
  ...staticImportsOf(entry('main.tsx')),
  ...staticImportsOf(entry('areas/overview/area.tsx')),
]);
const areas = ['menu', 'content', 'forms', 'inbox', 'access', 'activity', 'settings'];

describe('the console', () => {
  it('loads at most 130 KB until the overview is usable: page, styles and scripts as they are sent', () => {
    expect(weightOf(first)).toBeGreaterThan(60);
    expect(weightOf(first)).toBeLessThanOrEqual(130);
  });

  it('contains the labels of kinds, but neither their declarations nor other code of the service', () => {
    const others = Object.keys(metafile.inputs).filter((path) =>
      /^\.\.\/\.\.\/(?:kinds|http|table|records)\//.test(path),
    );
    expect(others).toEqual(['../../kinds/kind-labels.ts']);
  });

  it.each(areas)('loads at most 60 KB more for the area %s', (area) => {
    const more = staticImportsOf(entry(`areas/${area}/area.tsx`));
    expect(weightOf([...more].filter((name) => !first.has(name)))).toBeLessThanOrEqual(60);
  });

  it('consists of browser code alone, in files whose names change with their content', () => {
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.filter((path) => path.startsWith('node:') || /[\\/]node_modules[\\/]@aws-sdk/.test(path))).toEqual(
      [],
    );
    for (const { name } of files)
      expect(name).toMatch(/^(console\.html|notices\.txt|[a-z][a-z-]*-[A-Z0-9]{8}\.(js|css))$/);
  });
});
