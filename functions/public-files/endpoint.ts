import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forEveryone } from '#lib/http/presets.ts';
import type { DescriptionsOf } from '#lib/openapi/description.ts';
import { consoleHeaders, pageHeaders, publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';

/** Pages, scripts and the description of the API: everything that is made when the functions are bundled. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/{file+}',
  summary: 'Get a page, or a file that is made with the functions.',
  ...forEveryone,
  routes: {
    /** Beyond the contract: this interface described for programs, made from the declarations. */
    'api-description': {
      path: '/openapi.json',
      summary: 'Get the OpenAPI 3.1 description of this API.',
      headers: z.object({ 'If-None-Match': headerText() }),
      response: z.looseObject({ openapi: z.string() }),
      isEdgeCached: true,
    },
    /** Beyond the contract: a page that shows this interface, where people can try calls with their own key. */
    'api-reference': {
      path: '/docs',
      summary: 'Get the interactive API reference page.',
      isEdgeCached: true,
    },
    'api-reference-file': {
      path: '/docs/{file}',
      summary: 'Get a script or style sheet of the reference page.',
      isEdgeCached: true,
    },
    /** lib/spec/additions.md section 7 */
    'console-file': {
      path: '/console/{file}',
      summary: 'Get a script, the style sheet or the licences of the console.',
      isEdgeCached: true,
    },
    'console-page': { path: '/console', summary: 'Get the page of the management console.' },
    /** lib/spec/additions.md section 8 */
    home: {
      path: '/',
      summary: 'Get the URLs of this API and its pages; a browser is redirected to the console.',
      response: z.object({ openapi: z.string(), docs: z.string(), console: z.string() }),
    },
    /** lib/spec/additions.md section 4 */
    widget: { path: '/widget.js', summary: 'Get the script of the chat widget.', isEdgeCached: true },
  },
  response: z.string(),
  uses: ['files:address'],
});

const tag = 'About this API';
const html = { 'text/html': { type: 'string' } };
const javaScript = { 'text/javascript': { type: 'string' } };
const css = { 'text/css': { type: 'string' } };
const path = { file: 'The name of the file.' };

export const description = (): DescriptionsOf<typeof endpoint> => ({
  'api-description': {
    tag,
    text: 'Returns this document. No key is needed.',
    headers: { 'If-None-Match': 'The `ETag` of the document from an earlier response.' },
    success: { description: 'The document.', headers: publicHeaders },
    more: unchanged('content', publicHeaders),
  },
  'api-reference': {
    tag,
    text: 'Returns a page that shows this document. A key that you enter stays in the page. The page sends it only to this service, with the requests that you try.',
    success: { description: 'The page.', headers: { ...publicHeaders, ...pageHeaders }, content: html },
    more: unchanged('page', { ...publicHeaders, ...pageHeaders }),
  },
  'api-reference-file': {
    tag,
    text: 'Returns a script or style sheet of the reference page. `notices.txt` has the licences of its libraries.',
    path,
    success: { description: 'The file.', headers: publicHeaders, content: { ...javaScript, ...css, '*/*': {} } },
    more: unchanged('content', publicHeaders),
  },
  'console-file': {
    tag,
    text: 'Returns a script or the style sheet of the console. Their names change with their content. `notices.txt` has the licences of its libraries.',
    path,
    success: {
      description: 'The file.',
      headers: consoleHeaders,
      content: { ...javaScript, ...css, 'text/plain': { type: 'string' } },
    },
    more: unchanged('content', consoleHeaders),
  },
  'console-page': {
    tag,
    text: 'Returns the management console, where members of a workspace sign in and work. The page sends requests only to this service.',
    success: { description: 'The page.', headers: { ...consoleHeaders, ...pageHeaders }, content: html },
    more: unchanged('page', { ...consoleHeaders, ...pageHeaders }),
  },
  home: {
    tag,
    text: 'Returns the URLs of this document, the reference page and the management console. No key is needed.',
    success: { description: 'The URLs.', headers: publicHeaders },
    more: {
      ...unchanged('content', publicHeaders),
      302: { description: 'The console, for a browser.', headers: { location: { description: 'Always `/console`.' } } },
    },
  },
  widget: {
    tag: 'Messaging',
    text: 'Returns the chat widget: one script without dependencies. `<script src="{base_url}/widget.js" data-session="/chat-session" data-language="ar" defer></script>` adds it to a page. `/chat-session` is a path of your own server, which sends `POST /api/v1/connect/visitor-sessions`.',
    success: { description: 'The script.', headers: widgetHeaders, content: javaScript },
    more: unchanged('script', widgetHeaders),
  },
});

const widgetHeaders = {
  ...publicHeaders,
  'cache-control': { description: 'Any cache may keep it for an hour.' },
  'cross-origin-resource-policy': { description: 'Always `cross-origin`: any website may load the script.' },
};
