/** The files of Swagger UI that the page needs, with their licences. The bundler copies them. */
export const copiedFiles = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt',
] as const;
