/** What of the renderer the page needs, with the licences under which it comes; the bundler copies these. */
export const copiedFiles = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt',
] as const;
