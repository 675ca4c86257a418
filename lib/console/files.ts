import type { PublicFile } from '#lib/http/public-api.ts';
import { builtFile } from './built-files.ts';

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** The names of built files. No other file in the folder of the function matches. */
const hashedName = /^[a-z][a-z-]{0,40}-[A-Z0-9]{8}\.(js|css)$/;

const read = new Map<string, PublicFile>();

/** A script or the style sheet of the console. Its name changes with its content, so it may be cached forever. */
export async function consoleFile(name: string): Promise<PublicFile | undefined> {
  const cached = read.get(name);
  if (cached) return cached;
  const extension = hashedName.exec(name)?.[1];
  const content = extension === undefined ? undefined : await builtFile(name);
  if (extension === undefined || content === undefined) return undefined;
  const headers = { 'cache-control': 'public, max-age=31536000, immutable' };
  const file = { contentType: contentTypes[extension] ?? '', content, headers };
  read.set(name, file);
  return file;
}
