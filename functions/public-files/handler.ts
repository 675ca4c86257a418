import { builtFile } from '#lib/bundle/built-files.ts';
import { consoleFile, consolePage } from '#lib/console/files.ts';
import { weightsOf } from '#lib/http/compress.ts';
import { publicApi } from '#lib/http/public-api.ts';
import { referenceFile, referencePage } from '#lib/reference/files.ts';
import { endpoint } from './endpoint.ts';

const vary = { vary: 'Accept, Accept-Encoding' };
const json = 'application/json; charset=utf-8';
const addresses = {
  contentType: json,
  content: `${JSON.stringify({ openapi: '/openapi.json', docs: '/docs', console: '/console' })}\n`,
  headers: vary,
};

export const handler = publicApi(endpoint, {
  'api-description': async () => ({ contentType: json, content: await builtFile('openapi.json') }),
  'api-reference': () => referencePage,
  'api-reference-file': ({ file }) => referenceFile(file),
  'console-file': ({ file }) => consoleFile(file),
  'console-page': consolePage,
  /** lib/spec/additions.md section 8 */
  home: (_, { accept = '' }) =>
    (weightsOf(accept).get('text/html') ?? 0) > 0 ? { redirectTo: '/console', headers: vary } : addresses,
  // Every website may load the script.
  widget: async () => ({
    contentType: 'text/javascript; charset=utf-8',
    content: await builtFile('widget.js'),
    headers: { 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' },
  }),
});
