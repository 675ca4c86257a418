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

/** Allows scripts, styles and requests of this service only. Swagger UI draws its icons as data URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Workspace API</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<div id="reference"></div>
<footer><a href="docs/notices.txt">Licences of the libraries in this page</a></footer>
<noscript>This page needs JavaScript. The same description is in <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

export const referencePage: PublicFile = {
  contentType: 'text/html; charset=utf-8',
  content: html,
  headers: { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' },
};
