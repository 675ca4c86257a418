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

/** The licence of Swagger UI, and those of the libraries in it. */
const noticesName = 'notices.txt';
const noticeFiles = ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'] as const;

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
  const cached = read.get(name);
  if (cached) return cached;
  const copied = copiedFiles.find((candidate) => candidate === name);
  if (copied === undefined && name !== noticesName) return undefined;
  const file = copied
    ? { contentType: contentTypes[copied], content: contentOf(copied) }
    : { contentType: text, content: noticeFiles.map(contentOf).join(`\n${'-'.repeat(80)}\n\n`) };
  read.set(name, file);
  return file;
}

const contentOf = (name: (typeof copiedFiles)[number]): Buffer => readFileSync(join(filesFolder, name));
