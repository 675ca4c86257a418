import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Returns the workspace of the key: its name, languages and currency.',
  path: {},
  query: {},
  headers: { 'If-None-Match': 'The `ETag` of an earlier response to the same request.' },
  success: { description: 'The workspace.' },
  refusals: [],
  examples: [{ name: 'settings', summary: 'The settings', key: 'admin' }],
});
