/** Starts Swagger UI on the API description. It sends requests to this service only and stores no key. */
export const startScript = `SwaggerUIBundle({
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
export const styleSheet = `body { margin: 0; background: #fafafa; }
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
