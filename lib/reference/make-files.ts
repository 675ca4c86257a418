import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The licence of Swagger UI, and those of the libraries in it. They must be distributed with it. */
const notices = ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'] as const;

const copied = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', ...notices] as const;

/** Makes the files of the reference page: those of Swagger UI, and our own. */
export async function makeReferenceFiles() {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const copies = copied.map(async (name) => ({ name, contents: await readFile(join(folder, name)) }));
  const texts = await Promise.all(notices.map((name) => readFile(join(folder, name), 'utf8')));
  const own = {
    'start.js': startScript,
    'page.css': styleSheet,
    'notices.txt': texts.join(`\n${'-'.repeat(80)}\n\n`),
  };
  const written = Object.entries(own).map(([name, text]) => ({ name, contents: new TextEncoder().encode(text) }));
  return [...(await Promise.all(copies)), ...written];
}

/** Starts Swagger UI on the API description. It sends requests to this service only and stores no key. */
const startScript = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

/** Makes long words wrap and wide tables scroll in narrow windows. */
const styleSheet = `body { margin: 0; background: #fafafa; }
footer { max-width: 1460px; margin: 0 auto; padding: 20px; font: 14px sans-serif; }
.swagger-ui .wrapper { box-sizing: border-box; }
.swagger-ui .markdown p, .swagger-ui .renderedMarkdown p { overflow-wrap: anywhere; }
.swagger-ui .opblock .opblock-summary-path { word-break: break-word; }
.swagger-ui .highlight-code, .swagger-ui .table-container, .swagger-ui .responses-inner { overflow-x: auto; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .servers > label { margin-right: 0; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; padding: 4px 10px; }
  .swagger-ui table.parameters, .swagger-ui table.parameters tbody, .swagger-ui table.parameters tr,
  .swagger-ui table.parameters td { display: block; width: auto; max-width: 100%; box-sizing: border-box; }
  .swagger-ui table.parameters thead { display: none; }
  .swagger-ui .parameters-col_name { width: auto; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select { max-width: 100%; width: 100%; }
}
`;
