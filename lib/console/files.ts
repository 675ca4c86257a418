import { builtFile } from '#lib/bundle/built-files.ts';
import type { PublicFile } from '#lib/http/public-api.ts';

/** The names of files that are built: scripts, the style sheet, and the licences of libraries. */
const builtName = /^(?:[a-z][a-z-]{0,40}-[A-Z0-9]{8}\.(?<hashed>js|css)|notices\.txt)$/;

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * A file that the page of the console loads or links to. A name with a hash changes with its content, so it may be cached
 * forever.
 */
export async function consoleFile(name: string): Promise<PublicFile> {
  const match = builtName.exec(name);
  const content = match ? await builtFile(`console+${name}`) : undefined;
  const contentType = contentTypes[match?.groups?.['hashed'] ?? ''];
  return contentType
    ? { contentType, content, headers: { 'cache-control': 'public, max-age=31536000, immutable' } }
    : { contentType: 'text/plain; charset=utf-8', content, headers: { 'cache-control': 'public, max-age=3600' } };
}
