import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, transform } from 'esbuild';
import { librariesIn } from '#lib/bundle/notices.ts';

const entry = fileURLToPath(new URL('page/widget.ts', import.meta.url));
const target = ['chrome123', 'firefox121', 'safari17.5'];

/** Bundles style sheets as strings, for the shadow root of the widget. */
const styleTexts: Plugin = {
  name: 'style-texts',
  setup: (compiler) =>
    compiler.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target });
      return { loader: 'text', contents: code.trim() };
    }),
};

/** Compiles the widget into one script. It has no libraries, so it needs no licences of others. */
export async function buildWidget(): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    charset: 'utf8',
    target,
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [styleTexts],
  });
  const libraries = librariesIn(metafile);
  if (libraries.length > 0) throw new Error(`The widget has no notices for ${libraries.join(' and ')}.`);
  return outputFiles[0]?.text ?? '';
}
