import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { noticesOf } from '#lib/bundle/notices.ts';
import { kindLabels, kindsWithHistory, typesOfEvents } from '#lib/kinds/kind-labels.ts';

const app = fileURLToPath(new URL('app', import.meta.url));

/** One file of the console. */
export interface ConsoleFile {
  readonly name: string;
  readonly contents: Uint8Array;
}

export interface ConsoleBuild {
  /**
   * The page itself, under `pageName`, the licences of its libraries, and all files that it loads. Their names contain a
   * hash of their content.
   */
  readonly files: readonly ConsoleFile[];
  /** The parts of each script and the scripts it loads; for the test of sizes. */
  readonly metafile: Metafile;
}

/** The page among the files. */
const pageName = 'console.html';

const noticesName = 'notices.txt';

/** Bundles the console in memory. Each area is a script of its own, loaded when it is opened. */
export async function buildConsole(): Promise<ConsoleBuild> {
  const { outputFiles, metafile } = await build(settings);
  const files = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
  const named = (name: RegExp): string => files.find((file) => name.test(file.name))?.name ?? '';
  const page = consoleHtml(named(/^main-.*\.js$/), named(/^style-.*\.css$/));
  const texts = { [pageName]: page, [noticesName]: await noticesOf(metafile, app) };
  const written = Object.entries(texts).map(([name, text]) => ({ name, contents: new TextEncoder().encode(text) }));
  return { files: [...written, ...files], metafile };
}

/** The page, which is empty until its script has run. URLs are relative, because the page may have any path. */
const consoleHtml = (script: string, styles: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Console</title>
<link rel="icon" href="data:,">
<link rel="license" href="console/notices.txt">
<link rel="stylesheet" href="console/${styles}">
<script type="module" src="console/${script}"></script>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;

/** React Aria has texts in 34 languages. The console needs two of them. */
const twoLanguages: Plugin = {
  name: 'two-languages',
  setup: (compiler) => {
    const dictionary = /[\\/](?:react-aria|react-aria-components|react-stately)[\\/].*[\\/]([a-z]{2}-[A-Z]{2})\.mjs$/;
    compiler.onLoad({ filter: dictionary }, ({ path }) =>
      ['en-US', 'ar-AE'].includes(dictionary.exec(path)?.[1] ?? '') ? undefined : { contents: 'export default {}' },
    );
  },
};

/** Replaces the labels of kinds by their value, so that the console has none of the declarations that they come from. */
const labelsAlone: Plugin = {
  name: 'labels-alone',
  setup: (compiler) => {
    const values = Object.entries({ kindLabels, kindsWithHistory, typesOfEvents });
    const contents = values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');
    compiler.onLoad({ filter: /[\\/]lib[\\/]kinds[\\/]kind-labels\.ts$/ }, () => ({ loader: 'js', contents }));
  },
};

const settings = {
  absWorkingDir: app,
  entryPoints: { main: join(app, 'main.tsx'), style: join(app, 'style.css') },
  outdir: join(app, 'built'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  write: false,
  metafile: true,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [labelsAlone, twoLanguages],
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;
