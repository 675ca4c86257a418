import { builtFile } from '#lib/bundle/built-files.ts';
import type { PublicFile } from '#lib/http/public-api.ts';

const javaScript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';
const text = 'text/plain; charset=utf-8';

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['start.js', javaScript],
  ['page.css', css],
  ['swagger-ui.css', css],
  ['swagger-ui-bundle.js', javaScript],
  ['favicon-32x32.png', 'image/png'],
  ['LICENSE', text],
  ['NOTICE', text],
  ['swagger-ui-bundle.js.LICENSE.txt', text],
  ['notices.txt', text],
]);

/** A file of the reference page. Only listed names are served. */
export async function referenceFile(name: string): Promise<PublicFile> {
  const contentType = contentTypes.get(name);
  return { contentType: contentType ?? text, content: contentType && (await builtFile(`docs+${name}`)) };
}
