import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PublicFile } from '#lib/http/public-api.ts';
import { copiedFiles } from './copied-files.ts';
import { filesFolder } from './files-folder.ts';
import { startScript, styleSheet } from './page-assets.ts';

const javaScript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';
const text = 'text/plain; charset=utf-8';

const ownFiles: Readonly<Record<string, PublicFile>> = {
  'start.js': { contentType: javaScript, content: startScript },
  'page.css': { contentType: css, content: styleSheet },
};

const contentTypes: Readonly<Record<(typeof copiedFiles)[number], string>> = {
  'swagger-ui.css': css,
  'swagger-ui-bundle.js': javaScript,
  'favicon-32x32.png': 'image/png',
  LICENSE: text,
  NOTICE: text,
  'swagger-ui-bundle.js.LICENSE.txt': text,
};

/** One entry for each copied file at most. */
const read = new Map<string, PublicFile>();

/** A file of the reference page. Only listed names are served. */
export function referenceFile(name: string): PublicFile | undefined {
  if (Object.hasOwn(ownFiles, name)) return ownFiles[name];
  const copied = copiedFiles.find((candidate) => candidate === name);
  if (copied === undefined) return undefined;
  const file = read.get(copied) ?? {
    contentType: contentTypes[copied],
    content: readFileSync(join(filesFolder, copied)),
  };
  read.set(copied, file);
  return file;
}
